// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision, Request } from "./approvals.js";
import type { ApiError } from "./errors.js";
import type { TurnEvent } from "./events.js";
import type { TurnResult } from "./turn.js";

/** A phase of a session's live turn. `suspended`: it waits across a restart of the service (SVC-25). */
export type TurnPhase = "running" | "waiting" | "suspended" | "ended";

/** How a request ended. */
export type RequestOutcome = "answered" | "expired" | "cancelled";

/**
 * What watchers of a session are sent, in order: the turn's events and what happens around them.
 * `n` counts from 1 within the turn, so a watcher that comes back asks for the rest (SVC-20).
 */
export type LiveEvent = { readonly n: number; readonly turnId: string } & (
  | { readonly type: "accepted"; readonly by: string }
  | { readonly type: "turn"; readonly event: TurnEvent }
  | { readonly type: "request"; readonly request: Request }
  | {
      readonly type: "resolved";
      readonly id: string;
      readonly outcome: RequestOutcome;
      /** Who answered; "" when nobody did. */
      readonly by: string;
      /** The answer that counts; absent when nobody answered. */
      readonly answer?: Decision | Answer;
    }
  | { readonly type: "finished"; readonly end: TurnEnd }
);

/** How a turn ended. `output` is kept of a turn that failed part-way too (WS-26). */
export interface TurnEnd extends TurnResult {
  readonly error?: ApiError;
}

/** Where a session's live turn is; `turnId` "" and `ended` when none is known. */
export interface TurnState {
  readonly turnId: string;
  readonly sessionId: string;
  /** The client that sent it, as it names itself. */
  readonly by: string;
  readonly started?: Date;
  readonly phase: TurnPhase;
  /** The oldest event still kept, and the newest; 0 = none. */
  readonly firstEvent: number;
  readonly lastEvent: number;
  readonly requests: readonly Request[];
}
