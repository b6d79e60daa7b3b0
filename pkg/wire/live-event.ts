// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type LiveEvent, type RequestOutcome, unreachable } from "@blitz/api";
import {
  Decision as WireDecision,
  type RequestResolved,
  TurnEventSchema,
  type TurnEvent as WireEvent,
  RequestOutcome as WireOutcome,
} from "@blitz/proto/turn";
import { create } from "@bufbuild/protobuf";
import { answerFromWire, answerToWire, decisionFromWire, decisionToWire } from "./answer.js";
import { countToWire } from "./count.js";
import { nameOf } from "./named.js";
import { approvalFromWire, approvalToWire, questionFromWire, questionToWire } from "./request.js";
import { textToWire } from "./text.js";
import { turnEndFromWire, turnEndToWire } from "./turn-end.js";
import { turnEventFromWire, turnEventToWire, type WireHappening } from "./turn-event.js";

type Resolved = Extract<LiveEvent, { readonly type: "resolved" }>;

const OUTCOMES: Readonly<Record<RequestOutcome, WireOutcome>> = {
  answered: WireOutcome.ANSWERED,
  expired: WireOutcome.EXPIRED,
  cancelled: WireOutcome.CANCELLED,
};

/** What watchers of a session are sent, on the wire. */
export function liveEventToWire(live: LiveEvent): WireEvent {
  return create(TurnEventSchema, {
    n: countToWire(live.n),
    turnId: textToWire(live.turnId),
    author: live.type === "turn" ? textToWire(live.event.author) : "",
    event: happeningToWire(live),
  });
}

/** What watchers of a session are sent, off the wire; `undefined` for `state` and for an event of a newer peer (CTR-20). */
export function liveEventFromWire(message: WireEvent): LiveEvent | undefined {
  const about = { n: Number(message.n), turnId: message.turnId };
  const { event } = message;
  switch (event.case) {
    case "accepted":
      return { ...about, type: "accepted", by: event.value.by };
    case "approvalRequest":
      return { ...about, type: "request", request: approvalFromWire(event.value) };
    case "question":
      return { ...about, type: "request", request: questionFromWire(event.value) };
    case "requestResolved":
      return { ...about, ...resolvedFromWire(event.value) };
    case "finished":
      return { ...about, type: "finished", end: turnEndFromWire(event.value) };
    case "text":
    case "toolCall":
    case "toolResult":
    case "tasks":
    case "notice":
    case "state":
    case undefined: {
      const inner = turnEventFromWire(message);
      return inner === undefined ? undefined : { ...about, type: "turn", event: inner };
    }
    default:
      return unreachable(event);
  }
}

function happeningToWire(live: LiveEvent): WireHappening {
  switch (live.type) {
    case "accepted":
      return { case: "accepted", value: { by: textToWire(live.by) } };
    case "turn":
      return turnEventToWire(live.event);
    case "request":
      return "approval" in live.request
        ? { case: "approvalRequest", value: approvalToWire(live.request, live.request.approval) }
        : { case: "question", value: questionToWire(live.request, live.request.question) };
    case "resolved":
      return { case: "requestResolved", value: resolvedToWire(live) };
    case "finished":
      return { case: "finished", value: turnEndToWire(live.end) };
    default:
      return unreachable(live);
  }
}

function resolvedToWire({ id, outcome, by, answer }: Resolved) {
  const given = answer === undefined ? {} : { decision: decisionToWire(answer), ...answerToWire(answer) };
  return { requestId: textToWire(id), outcome: OUTCOMES[outcome], by: textToWire(by), ...given };
}

/** An outcome of a newer peer is read as cancelled: nothing waits any more, and no answer is known. */
function resolvedFromWire(message: RequestResolved): Omit<Resolved, "n" | "turnId"> {
  const outcome = nameOf(OUTCOMES, message.outcome) ?? "cancelled";
  const about = { type: "resolved", id: message.requestId, outcome, by: message.by } as const;
  if (outcome !== "answered") return about;
  if (message.decision === WireDecision.UNSPECIFIED) return { ...about, answer: answerFromWire(message) };
  const decision = decisionFromWire(message.decision);
  return decision === undefined ? about : { ...about, answer: decision };
}
