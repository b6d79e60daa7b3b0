// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo, TurnEvent, Usage } from "@blitz/api";

/** How a run ended, as printers word it. */
export interface RunEnd {
  readonly exitCode: number;
  /** The final answer's text, also of a run that failed. */
  readonly answer: string;
  /** In the interface's language. */
  readonly error?: string;
  readonly durationMs: number;
  readonly usage: Usage;
}

/** Shows a run. Machine formats write nothing else to standard output (CLI-21). */
export interface Printer {
  accepted(session: SessionInfo, model: string, agent: string): void;
  event(event: TurnEvent): void;
  end(end: RunEnd): void;
}
