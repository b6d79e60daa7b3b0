// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Event, Stop } from "../history/index.js";
import type { ToolEvent } from "../tools/call/index.js";

/** What the loop tells while it runs: deltas as they come, each final event once it is stored, and the tools' own events. */
export type LoopEvent =
  | { readonly type: "delta"; readonly kind: "text" | "thought"; readonly text: string }
  | { readonly type: "event"; readonly event: Event }
  | ToolEvent;

/** How a run of the loop ended: the last answer's stop, or "stuck" when it kept repeating a failing call (ENG-112). */
export interface LoopEnd {
  readonly stop: Stop | "stuck" | "ended";
  /** Text of the final answer. */
  readonly text: string;
}
