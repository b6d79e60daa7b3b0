// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { TurnPhase, TurnState } from "@blitz/api";
import { TurnEventSchema, type TurnEvent as WireEvent, TurnPhase as WirePhase } from "@blitz/proto/turn";
import { create } from "@bufbuild/protobuf";
import { countToWire } from "./count.js";
import { nameOf } from "./named.js";
import { requestFromWire, requestToWire } from "./request.js";
import { textToWire } from "./text.js";
import { dateFromWire, dateToWire } from "./time.js";

const PHASES: Readonly<Record<TurnPhase, WirePhase>> = {
  running: WirePhase.RUNNING,
  waiting: WirePhase.WAITING,
  suspended: WirePhase.SUSPENDED,
  ended: WirePhase.ENDED,
};

/** Where a turn is, as the first event of a watch; it has no number (PRT-23). */
export function turnStateToWire(state: TurnState): WireEvent {
  const { started, phase, firstEvent, lastEvent, requests } = state;
  const turnId = textToWire(state.turnId);
  return create(TurnEventSchema, {
    turnId,
    event: {
      case: "state",
      value: {
        turnId,
        sessionId: textToWire(state.sessionId),
        by: textToWire(state.by),
        ...(started === undefined ? {} : { started: dateToWire(started) }),
        phase: PHASES[phase],
        firstEvent: countToWire(firstEvent),
        lastEvent: countToWire(lastEvent),
        requests: requests.map(requestToWire),
      },
    },
  });
}

/**
 * Where a turn is, when that is what the event says; `undefined` for any other. A phase of a newer peer is read as
 * running: the turn's `finished` tells its end.
 */
export function turnStateFromWire({ event }: WireEvent): TurnState | undefined {
  if (event.case !== "state") return undefined;
  const { turnId, sessionId, by, phase, firstEvent, lastEvent, requests } = event.value;
  const started = dateFromWire(event.value.started);
  return {
    turnId,
    sessionId,
    by,
    ...(started === undefined ? {} : { started }),
    phase: nameOf(PHASES, phase) ?? "running",
    firstEvent: Number(firstEvent),
    lastEvent: Number(lastEvent),
    requests: requests.flatMap((request) => requestFromWire(request) ?? []),
  };
}
