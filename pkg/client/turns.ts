// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turns } from "@blitz/api";
import { textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";
import { runTurn } from "./run-turn.js";
import { watch } from "./watch.js";

/** Turns in the service: they go on when this client goes (SVC-22). */
export function createRemoteTurns(deps: RemoteDeps): Turns {
  const { sessions, workspace, warn } = deps;
  return {
    run: (sessionId, turn, handlers) => runTurn(deps, sessionId, turn, handlers),
    steer: async (sessionId, text) => {
      const request = { workspace, sessionId: textToWire(sessionId), text: textToWire(text) };
      await answered(sessions.steer(request));
    },
    cancelTurn: async (sessionId, turnId = "") => {
      const request = { workspace, sessionId: textToWire(sessionId), turnId: textToWire(turnId) };
      return (await answered(sessions.cancelTurn(request))).cancelled;
    },
    watchSession: async (id, { after, turnId = "", follow = false }, handlers) => {
      const about = { workspace, sessionId: textToWire(id), follow };
      const from = { turnId: textToWire(turnId), after };
      const reopen = (place: typeof from, signal: AbortSignal) =>
        sessions.watchSession({ ...about, turnId: place.turnId, after: BigInt(place.after) }, { signal });
      const open = (signal: AbortSignal) => reopen(from, signal);
      await watch(deps, { from, open, reopen, until: follow ? "never" : "turn ends", warn }, handlers);
    },
  };
}
