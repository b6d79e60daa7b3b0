// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, TurnPhase, TurnState, WatchHandlers } from "@blitz/api";
import { type Followed, follow, type Place, restarted } from "./follow.js";
import type { Reconnect } from "./reconnect.js";

/** What is watched. */
export interface Watched extends Pick<Followed, "from" | "open" | "reopen"> {
  /** The turn's end: the watch ends with it. The stream's: with whatever the service sends. Never: only by the signal. */
  readonly until: "turn ends" | "stream ends" | "never";
  /** Told when the turn that was watched is gone, and the watch goes on with later ones. */
  readonly warn: (text: string) => void;
}

/** Watches turns until their end, or quietly until the signal aborts; lost connections don't end it (CL-05, CL-22). */
export async function watch(
  deps: Reconnect & { readonly closing: AbortSignal },
  watched: Watched,
  handlers: WatchHandlers,
): Promise<void> {
  const { until } = watched;
  let failure: { readonly error: unknown } | undefined;
  let phase: TurnPhase | undefined;
  /** A handler that throws ends the watch with its error. */
  const tell = (work: () => void): boolean => {
    try {
      work();
      return false;
    } catch (error) {
      failure = { error };
      return true;
    }
  };
  const onState = (state: TurnState, place: Place): boolean => {
    const isFirst = phase === undefined;
    phase = state.phase;
    if (isFirst) return tell(() => handlers.onState(state));
    if (place.turnId === "" || place.turnId === state.turnId) return false;
    if (until === "never") return tell(() => watched.warn("the Blitz service restarted; the turn shown ended with it"));
    failure = { error: restarted() };
    return true;
  };
  const onEvent = (event: LiveEvent): boolean => {
    if (event.type === "finished") phase = "ended";
    else if (phase === "ended") phase = "running"; // the next turn of the session
    return tell(() => handlers.onEvent(event)) || (event.type === "finished" && until === "turn ends");
  };
  const onEnd = (): boolean => until === "stream ends" || (until === "turn ends" && phase === "ended");
  const signals = handlers.signal === undefined ? [] : [handlers.signal];
  const signal = AbortSignal.any([deps.closing, ...signals]);
  if (signal.aborted) return;
  await follow(
    deps,
    { ...watched, canReopen: () => true, isEndless: until === "never", onState, onEvent, onEnd },
    signal,
  );
  if (failure !== undefined) throw failure.error;
}
