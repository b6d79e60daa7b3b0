// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turns } from "@blitz/api";
import type { LiveTurns } from "../live/index.js";
import type { SessionStore } from "../session/index.js";
import type { TurnRunner } from "../turn/index.js";

/** What the turn operations need. */
export interface TurnsServiceDeps {
  readonly turns: TurnRunner;
  readonly live: LiveTurns;
  readonly store: Pick<SessionStore, "find">;
}

/** Running prompts and watching them (WS-20…29, SVC-22). */
export function createTurnsService({ turns, live, store }: TurnsServiceDeps): Turns {
  return {
    run: (sessionId, turn, handlers) => turns.run(sessionId, turn, handlers),
    steer: (sessionId, text, by) => turns.steer(sessionId, text, by),
    cancelTurn: async (sessionId, turnId) => {
      if (turnId !== undefined && live.state(sessionId).turnId !== turnId) return false;
      return await turns.cancel(sessionId);
    },
    watchSession: async (sessionId, from, handlers) => {
      await store.find(sessionId);
      await live.watch(sessionId, from, handlers);
    },
  };
}
