// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import type { Output } from "./output/output.js";

/** The process as the program sees it: read once, here. */
export interface Program {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Opened when first asked for. */
  readonly stdin: () => NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly configDir: string;
  /** The workspace, absolute. */
  readonly dir: string;
  /** Aborts on SIGINT, SIGTERM, SIGHUP, or when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** Until disposed, SIGINT calls `onInterrupt` and aborts nothing: the REPL minds Ctrl+C itself (CLI-19). */
  readonly takeInterrupts: (onInterrupt: () => void) => Disposable;
  readonly version: string;
  /** `--plain` or BLITZ_PLAIN: no colour, no cursor movement, words in place of marks (TUI-69). */
  readonly isPlain: boolean;
}

/** The terminal is gone: an attached run is left to the service, any other is cancelled (CLI-19). */
export class HungUp extends Error {}

/** The reader of the output is gone: the run ends quietly. */
export class OutputClosed extends Error {}

/** What is printed of an error: never a stack (CLI-30). */
export function messageOf(error: unknown): string {
  if (isReason(error, "WORKSPACE_BUSY")) {
    const pid = error.metadata["pid"];
    return `another blitz has ${error.metadata["workspace"]} open${pid === undefined ? "" : ` (process ${pid})`}`;
  }
  return error instanceof Error ? error.message : String(error);
}
