// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import type { Config } from "@blitz/config";
import type { Inspection } from "@blitz/engine";

export type { InspectedModel, Inspection } from "@blitz/engine";

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
 * Opens a workspace in this process. This file is the one place of the command line program that reaches
 * the engine, and only when it is called (28 §2).
 */
export async function openLocal(options: LocalOptions): Promise<Backend> {
  const { openWorkspace } = await import("@blitz/engine");
  return await openWorkspace(options);
}

/** Looks at a workspace in this process and opens nothing (CLI-51). */
export async function inspectLocal(
  options: Pick<LocalOptions, "dir" | "home" | "config" | "env">,
): Promise<Inspection> {
  const { inspectWorkspace } = await import("@blitz/engine");
  return inspectWorkspace(options);
}
