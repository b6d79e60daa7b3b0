// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import type { Config } from "@blitz/config";
import type { ChatModel } from "../models/index.js";

/** How a workspace is opened (WS-07). */
export interface OpenOptions {
  /** The project's directory; links are resolved. */
  readonly dir: string;
  /** The user's home directory; Blitz's state is in `.blitz` under it. */
  readonly home: string;
  /** The workspace keeps this value as its own and never changes it (WS-02). */
  readonly config: Config;
  /** What children may inherit, scrubbed (SH-32). */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
  /** Rules for this run (PAR-PERM-11). */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: string;
  /** Paths nothing of the workspace may touch, beside the settings': the host's socket, wherever it is (SH-66). */
  readonly blocked?: readonly string[];
  /** A model in place of the configured one: tests, the demo. */
  readonly model?: ChatModel;
  readonly now?: () => Date;
  /**
   * The workspace outlives its front ends, as in the service: requests wait for any client, and turns
   * that wait are kept for the next process (SVC-22, 25). Without it the front end set by `setUi` is
   * asked, and nobody is when there is none.
   */
  readonly isHosted?: boolean;
}

/** An open workspace: the contract, and what only its host asks. */
export interface Workspace extends Backend {
  /** Whether a turn runs or waits (WS-09). */
  busy(): boolean;
  /** Takes no new turn, leaves those that wait to the next process, and gives the others so long to end (SVC-04). */
  windDown(graceMs: number): Promise<void>;
}
