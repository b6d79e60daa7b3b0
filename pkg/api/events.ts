// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** One item of the agent's task list. */
export interface TaskItem {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "done";
}

/** A JSON object as tools take and return it. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * What a turn tells while it runs, in order (CTR-20). `author` is the agent that speaks. Partial text
 * and calls are shown as they come; the final one repeats them (`repeat`). Thoughts are optional to
 * show and never in the transcript.
 */
export type TurnEvent = { readonly author: string } & (
  | {
      readonly type: "text";
      readonly text: string;
      readonly partial: boolean;
      readonly repeat: boolean;
      readonly thought: boolean;
    }
  | {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      readonly partial: boolean;
    }
  | { readonly type: "tool_result"; readonly id: string; readonly name: string; readonly result: JsonObject }
  | { readonly type: "tasks"; readonly items: readonly TaskItem[] }
  | { readonly type: "notice"; readonly text: string; readonly error: boolean }
);
