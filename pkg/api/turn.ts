// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Usage } from "./usage.js";

/** One prompt and how to run it (WS-20…29). Limits: absent = none. */
export interface Turn {
  /** `/init` alone asks for the workspace's instruction file, which is read again afterwards (MEM-22). */
  readonly text: string;
  /** Sent to the model in place of `text`, which stays what the transcript says. */
  readonly prompt?: string;
  /** Read-only tools, a plan as the answer. */
  readonly plan?: boolean;
  readonly readOnly?: boolean;
  /** The transcript has `text` already: it is sent, not recorded once more (WS-22). */
  readonly accepted?: boolean;
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
  readonly timeoutMs?: number;
  /** `deny`: nobody will answer, so requests are refused at once (SVC-23); default `wait`. */
  readonly onRequest?: "wait" | "deny";
}

/** What a turn produced. */
export interface TurnResult {
  /** The final answer's text; runs in one turn are separated by a blank line. */
  readonly output: string;
  readonly before: Usage;
  readonly after: Usage;
  /** Steering messages no tool result carried. */
  readonly leftover: readonly string[];
}
