// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type BackgroundRun, type BackgroundRuns } from "@blitz/api";
import type { BackgroundRun as WireRun } from "@blitz/proto/session";
import { backgroundRunFromWire, textToWire, turnToWire } from "@blitz/wire";
import type { Place, TurnMessages } from "./follow.js";
import { answered, type Reconnect } from "./reconnect.js";
import type { Calls } from "./remote.js";
import { watch } from "./watch.js";

/** What asking about background runs needs. */
export interface BackgroundRunsDeps extends Pick<Calls, "sessions">, Reconnect {
  /** Aborts when the client is closed: its watches end. */
  readonly closing: AbortSignal;
}

/** Background runs in the service. */
export function createRemoteBackgroundRuns(deps: BackgroundRunsDeps): BackgroundRuns {
  const { sessions } = deps;
  /** The rest of a run's events: asked of its session, which knows how far the watcher was. */
  const rest = async function* (id: string, { turnId, after }: Place, signal: AbortSignal): TurnMessages {
    const { runs } = await sessions.listBackground({}, { signal });
    const run = runs.find((one) => one.id === id);
    if (run === undefined) throw apiError("UNKNOWN_RUN", `there is no background run ${id}`, { id });
    const { workspace, sessionId } = run;
    yield* sessions.watchSession({ workspace, sessionId, turnId, after: BigInt(after) }, { signal });
  };
  return {
    startBackground: async (dir, turn) => {
      const request = { workspace: textToWire(dir), turn: turnToWire(turn) };
      return required((await answered(sessions.startBackground(request))).run);
    },
    listBackground: async () => (await answered(sessions.listBackground({}))).runs.map(backgroundRunFromWire),
    watchBackground: async (given, follow, handlers) => {
      const id = textToWire(given);
      const open = (signal: AbortSignal): TurnMessages => sessions.watchBackground({ id, follow }, { signal });
      const reopen = (place: Place, signal: AbortSignal): TurnMessages =>
        place.turnId === "" ? open(signal) : rest(id, place, signal);
      const from = { turnId: "", after: 0 };
      const until = follow ? "turn ends" : "stream ends";
      await watch(deps, { from, open, reopen, until, warn: () => undefined }, handlers);
    },
    stopBackground: async (id) => required((await answered(sessions.stopBackground({ id: textToWire(id) }))).run),
  };
}

function required(run: WireRun | undefined): BackgroundRun {
  if (run === undefined) throw apiError("INTERNAL", "the service answered without the run", {});
  return backgroundRunFromWire(run);
}
