// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";

/**
 * A piece of a message, as the log keeps it and as model adapters read it (15).
 *
 * `thought.signature`, `toolCall.signature` and `opaque.data` are the provider's own and go back to it
 * byte for byte. `toolCall.invalid` says why the arguments the model sent can't be used (cut off, not
 * JSON, not an object): `args` is then `{}` and the tool isn't run (MDL-31).
 */
export type Part =
  | { readonly type: "text"; readonly text: string; readonly signature?: string; readonly provider?: string }
  | {
      readonly type: "thought";
      readonly text: string;
      readonly provider: string;
      readonly signature?: string;
      readonly redacted?: string;
    }
  | {
      readonly type: "toolCall";
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
      readonly signature?: string;
      readonly provider?: string;
      readonly invalid?: string;
    }
  | {
      readonly type: "toolResult";
      readonly id: string;
      readonly name: string;
      readonly result: JsonObject;
      readonly isError?: boolean;
    }
  | { readonly type: "opaque"; readonly provider: string; readonly data: JsonObject };

/** A call the model made. */
export type ToolCallPart = Extract<Part, { type: "toolCall" }>;
/** What a call returned. */
export type ToolResultPart = Extract<Part, { type: "toolResult" }>;

/** A message in the model's view of the history; tool results travel in a `user` one. */
export interface Msg {
  readonly role: "user" | "model";
  readonly parts: readonly Part[];
}

/** Why a model's answer ended. */
export type Stop = "end" | "tool_use" | "max_tokens" | "refusal" | "context_full";

/** Tokens of one model call, as ENG-80 counts them. */
export interface CallUsage {
  /** All prompt tokens, cached and cache-written ones included. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Thinking included. */
  readonly output: number;
}

/** One line of a session's event log (16). Only final events are logged, never deltas (ENG-100). */
export interface Event {
  readonly v: 1;
  readonly id: string;
  /** `e-<uuid>`, the same for all events of one prompt. */
  readonly turn: string;
  /** RFC 3339 with milliseconds; shown, never sorted by. */
  readonly time: string;
  /** "user" or the agent's name. */
  readonly author: string;
  readonly role: "user" | "model" | "tool";
  readonly parts: readonly Part[];
  readonly model?: string;
  readonly stop?: Stop;
  readonly usage?: CallUsage;
  readonly fallbackFrom?: string;
  readonly error?: { readonly kind: string; readonly message: string };
  readonly compaction?: Compaction;
}

/** A summary that stands for the events at positions `[from, to)` (ENG-103). */
export interface Compaction {
  readonly from: number;
  readonly to: number;
  readonly summary: string;
  readonly kept?: readonly { readonly kind: string; readonly text: string }[];
}
