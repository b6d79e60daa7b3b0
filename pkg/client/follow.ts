// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ApiError, apiError, type LiveEvent, type TurnState } from "@blitz/api";
import type { TurnEvent } from "@blitz/proto/turn";
import { errorFromConnect, isConnectionLost, liveEventFromWire, turnStateFromWire } from "@blitz/wire";
import type { Reconnect } from "./reconnect.js";

/** Where a follower is: the last event it has, of which turn. "" = of none yet. */
export interface Place {
  readonly turnId: string;
  readonly after: number;
}

/** A stream of a turn, as a call returns it. */
export type TurnMessages = AsyncIterable<{ readonly event?: TurnEvent | undefined }>;

/** What is followed, and who is told. The callbacks don't throw; `true` = nothing more is wanted. */
export interface Followed {
  readonly from: Place;
  readonly open: (signal: AbortSignal) => TurnMessages;
  /** Opens what comes after a place. */
  readonly reopen: (place: Place, signal: AbortSignal) => TurnMessages;
  /** Whether there is a rest to ask for when the stream is lost here. */
  readonly canReopen: (place: Place) => boolean;
  /** It has no end of its own, so it may outlive any number of restarts: a stream that began is enough to wait anew. */
  readonly isEndless: boolean;
  /** Where the turn is: first on every watch. `place`: how far the follower was before. */
  readonly onState: (state: TurnState, place: Place) => boolean;
  /** Each event once, in order. */
  readonly onEvent: (event: LiveEvent) => boolean;
  /** The service ended the stream in peace. */
  readonly onEnd: () => boolean;
}

/** How one stream ended: enough was read, it came to its end, or it was lost. */
type Outcome = "over" | "end" | { readonly lost: unknown };

/**
 * Reads a turn's events to their end over as many streams as it takes: one that is lost is opened again after the
 * last event that came (CL-05, SVC-20). Resolves early when the signal aborts.
 *
 * @throws ApiError `SERVICE_UNAVAILABLE` when the service doesn't come back; otherwise what a stream failed with
 */
export async function follow(deps: Reconnect, followed: Followed, signal: AbortSignal): Promise<void> {
  const reader = createReader(followed);
  let stream = followed.open(signal);
  for (let attempt = 0; ; attempt++) {
    const outcome = await read(stream, reader.take, signal);
    if (outcome === "over" || signal.aborted || (outcome === "end" && followed.onEnd())) return;
    const error = outcome === "end" ? undefined : outcome.lost;
    if (!followed.canReopen(reader.place())) throw errorFromConnect(error ?? away());
    if (reader.hasMoved(followed.isEndless && outcome !== "end")) attempt = 0;
    const ms = deps.retryDelaysMs[attempt];
    if (ms === undefined) throw away(error);
    await deps.delay(ms, signal);
    if (signal.aborted) return;
    stream = followed.reopen(reader.place(), signal);
  }
}

/** Takes messages in, keeps the place, and passes on what is new. */
function createReader(followed: Followed) {
  let place = followed.from;
  let hasMoved = false;
  let hasBegun = false;
  const takeEvent = (event: TurnEvent): boolean => {
    const { turnId } = event;
    const after = Number(event.n);
    if (turnId === place.turnId && after <= place.after) return false; // it came over an earlier stream
    place = { turnId, after };
    hasMoved = true;
    const live = liveEventFromWire(event); // `undefined`: an event of a newer service
    return live !== undefined && followed.onEvent(live);
  };
  return {
    place: (): Place => place,
    /** Whether the stream was a good one: an event came over it, or, where that is enough, its state. Asked once a stream. */
    hasMoved: (isBeginEnough: boolean): boolean => {
      const moved = hasMoved || (isBeginEnough && hasBegun);
      hasMoved = false;
      hasBegun = false;
      return moved;
    },
    take: (event: TurnEvent): boolean => {
      const state = turnStateFromWire(event);
      if (state === undefined) return takeEvent(event);
      hasBegun = true;
      const before = place;
      place = placeIn(state, before);
      return followed.onState(state, before);
    },
  };
}

/** Where a follower is in the turn a watch begins with: another turn is sent from its start, unless only new events are wanted. */
function placeIn({ turnId, lastEvent }: TurnState, { turnId: before, after }: Place): Place {
  if (before !== "" && before !== turnId) return { turnId, after: 0 };
  return { turnId, after: after < 0 ? lastEvent : after };
}

async function read(stream: TurnMessages, take: (event: TurnEvent) => boolean, signal: AbortSignal): Promise<Outcome> {
  try {
    for await (const { event } of stream) {
      if (signal.aborted || (event !== undefined && take(event))) return "over";
    }
    return "end";
  } catch (error) {
    if (signal.aborted || isConnectionLost(error)) return { lost: error };
    throw errorFromConnect(error);
  }
}

function away(cause?: unknown): ApiError {
  const failed = cause === undefined ? undefined : errorFromConnect(cause);
  const words = failed instanceof Error ? failed.message : "it ended the stream too early";
  const message = `the connection to the Blitz service was lost (${words}); the session can be resumed when it is back`;
  return apiError("SERVICE_UNAVAILABLE", message, {}, cause);
}

/** The error of a turn that a restarted service doesn't have any more. */
export function restarted(): ApiError {
  const message = "the Blitz service restarted and the turn ended with it; its session can be resumed";
  return apiError("SERVICE_UNAVAILABLE", message, {});
}
