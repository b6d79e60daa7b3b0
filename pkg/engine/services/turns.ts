// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turns } from "@blitz/api";
import type { TurnRunner } from "../turn/index.js";

/** Running prompts (WS-20…29). */
export function createTurnsService(turns: TurnRunner): Turns {
  return {
    run: (sessionId, turn, handlers) => turns.run(sessionId, turn, handlers),
    steer: (sessionId, text) => turns.steer(sessionId, text),
    cancelTurn: async (sessionId) => turns.cancel(sessionId),
  };
}
