// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import type { Config } from "@blitz/config";

/** What opening a workspace in this process takes from the command line. */
export interface LocalOptions {
  readonly dir: string;
  readonly home: string;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: string;
}

/** Begins to load the engine while the caller has something to wait for; a failure shows when it is opened. */
export function preloadEngine(): void {
  import("@blitz/engine").catch(() => undefined);
}

/**
 * Opens a workspace in this process. The one place of the command line program that reaches the
 * engine, and only when it is called (28 §2).
 */
export async function openLocal(options: LocalOptions): Promise<Backend> {
  const { openWorkspace } = await import("@blitz/engine");
  return await openWorkspace(options);
}
