// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Asker, JsonObject, TaskItem } from "@blitz/api";
import type { AskedAction, GateDecision } from "../../approvals/index.js";

/** What a tool tells while it runs. */
export type ToolEvent =
  | { readonly type: "tasks"; readonly items: readonly TaskItem[] }
  | { readonly type: "notice"; readonly text: string; readonly error: boolean };

/** The run a call belongs to, handed down explicitly (ENG-10). */
export interface CallContext {
  readonly sessionId: string;
  /** The turn's checkpoint and event group. */
  readonly turnId: string;
  readonly callId: string;
  readonly agent: string;
  readonly signal: AbortSignal;
  readonly emit: (event: ToolEvent) => void;
  /** The one gate (05). */
  readonly approve: (request: AskedAction) => Promise<GateDecision>;
  /** Absent when nobody can answer. */
  readonly ask?: Asker;
}

/**
 * A tool the model can call. Failures are values: `run` returns an object with `error` for the model
 * to read; what it throws becomes one too, and never ends the turn (ENG-12). `args` passed `schema`.
 */
export interface Tool {
  readonly name: string;
  /** Read by the model: what it does, when to use it, its limits. Short: it is sent with every request. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
  /** Whether plan and read-only modes allow it (ENG-30). */
  readonly planAllowed: boolean;
  readonly run: (args: JsonObject, context: CallContext) => Promise<JsonObject>;
}
