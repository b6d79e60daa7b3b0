// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { CallUsage, Msg, Part, Stop } from "../history/index.js";

/** How a call is generated; unset = the provider's default. */
export interface GenSettings {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly effort?: "minimal" | "low" | "medium" | "high" | "max";
  /** Tokens; 0 = thinking off where allowed. */
  readonly thinkingBudget?: number;
}

/** A tool as offered to the model. `schema` is a JSON Schema of an object. */
export interface ToolDecl {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** One call of a model. Adapters copy, never change it: a fallback chain shares it (MDL-71). */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Msg[];
  /** Sorted by name, so provider caches hit (MDL-32). */
  readonly tools: readonly ToolDecl[];
  readonly settings: GenSettings;
  readonly stream: boolean;
  readonly toolChoice?: "auto" | "none";
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

/** The whole answer, once, at the end of a call. */
export interface ModelFinal {
  readonly type: "final";
  readonly parts: readonly Part[];
  readonly stop: Stop;
  readonly refusal?: { readonly category?: string; readonly explanation?: string };
  readonly usage: CallUsage;
  /** The model that answered. */
  readonly servedBy: string;
  /** The primary's name when a fallback answered (MDL-62). */
  readonly fallbackFrom?: string;
}

/** What a call yields: deltas as they come, then exactly one `final`. */
export type ModelEvent =
  | { readonly type: "textDelta"; readonly text: string }
  | { readonly type: "thoughtDelta"; readonly text: string }
  | { readonly type: "toolCallDelta"; readonly id: string; readonly name: string; readonly argsText: string }
  | ModelFinal;

/** One model of one provider. The engine knows providers only through this. */
export interface ChatModel {
  /** `gemini`, `anthropic`, `openai`, `ollama`, `demo` or `scripted`. */
  readonly provider: string;
  readonly name: string;
  /** Most output tokens it can be asked for. */
  readonly maxOutput: number;
  /**
   * Calls the model.
   *
   * @throws ModelError when the call failed; the signal's reason when it was aborted
   */
  generate(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** Kinds of failed model calls (MDL-30). */
export type ModelErrorKind =
  | "auth"
  | "rate_limited"
  | "quota"
  | "overloaded"
  | "bad_request"
  | "stalled"
  | "context_full"
  | "network"
  | "api";

/** A model call that failed. Its message never holds a key. Rooms tell kinds apart by `kind`. */
export class ModelError extends Error {
  override readonly name: string = "ModelError";
  /** What rooms tell failures apart by. */
  readonly kind: ModelErrorKind;
  /** The provider that was asked. */
  readonly provider: string;
  /** The model that was asked. */
  readonly model: string;
  /** HTTP status, when there was an answer. */
  readonly status: number | undefined;
  /** Milliseconds the provider asked to wait, when it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    about: {
      readonly provider: string;
      readonly model: string;
      readonly status?: number;
      readonly retryAfterMs?: number;
    },
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.provider = about.provider;
    this.model = about.model;
    this.status = about.status;
    this.retryAfterMs = about.retryAfterMs;
  }
}
