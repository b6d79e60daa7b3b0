// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApiError, TurnEnd } from "@blitz/api";
import { apiError } from "@blitz/api";
import type { TurnHooks } from "../requests/index.js";
import type { Session } from "../session/index.js";
import { createRecord, joined } from "./record.js";
import { errorOf } from "./run-turn.js";
import { formatSavedTurn, parseSavedTurn, type SavedTurn } from "./saved-turn.js";
import type { SuspendedTurn, TurnDeps } from "./stage.js";
import { abandonedResults } from "./suspension.js";

/** What looking after suspended turns needs. */
export interface SuspendedTurnsDeps extends TurnDeps {
  readonly findSession: (id: string) => Promise<Session>;
  readonly waiting: () => Promise<readonly Session[]>;
  readonly warn: (text: string) => void;
}

/** Turns an earlier process left waiting for a person (SVC-25). */
export interface SuspendedTurns {
  size(): number;
  /** Keeps a message for when the session's turn goes on; whether there is one. */
  steer(sessionId: string, text: string): Promise<boolean>;
  /** Lists them again, with the same request IDs; one that was answered already goes on at once. */
  restore(): Promise<void>;
  /**
   * Ends a session's: calls that never ran say why, watchers are told, its file goes. Looks at the disk
   * too, where nothing was restored. Whether there was one.
   */
  end(sessionId: string, why: string): Promise<boolean>;
}

/** Looks after them. `goOn` runs one to its end; it rejects when it can't. */
export function createSuspendedTurns(
  deps: SuspendedTurnsDeps,
  goOn: (sessionId: string, turn: SuspendedTurn) => Promise<void>,
): SuspendedTurns {
  const turns = new Map<string, SuspendedTurn>();

  const resume = async (sessionId: string): Promise<void> => {
    const turn = turns.get(sessionId);
    if (turn === undefined || !turns.delete(sessionId)) return;
    try {
      await goOn(sessionId, turn);
    } catch (error) {
      // One that ran has told its end; one that couldn't begin (its agent or model is gone) is ended here.
      if (deps.live.state(sessionId).phase !== "ended") await giveUp(deps, sessionId, turn, errorOf(error));
    }
  };
  const restoreOne = async (session: Session): Promise<void> => {
    const saved = await savedTurnOf(session, deps.warn);
    if (saved === undefined) return;
    if (saved.requests.length === 0) return await session.saveTurn(undefined); // it ran: cut, as a crash cuts it
    const { turnId, by, started, lastEvent } = saved;
    const live = deps.live.begin(session.id, { turnId, by, started, from: lastEvent });
    live.setPhase("suspended");
    const turn = (): SavedTurn => turns.get(session.id)?.saved ?? saved;
    const hooks: TurnHooks = {
      // One that can't be saved stays as it was: it is asked again.
      save: () => session.saveTurn(formatSavedTurn({ ...turn(), requests: requests.saved() })).catch(() => undefined),
      onAsked: () => undefined,
      onResolved: (resolved) => void live.emit({ type: "resolved", ...resolved }),
      onReady: () => void resume(session.id),
    };
    const relay = createRelay(hooks);
    const requests = deps.requests.open(
      { sessionId: session.id, turnId, refuses: false, saved: saved.requests },
      relay.hooks,
    );
    turns.set(session.id, { saved, live, requests, relay });
    if (saved.requests.some((request) => request.settled !== undefined)) void resume(session.id);
  };

  return {
    size: () => turns.size,
    steer: async (sessionId, text) => {
      const turn = turns.get(sessionId);
      if (turn === undefined) return false;
      turn.saved = { ...turn.saved, steering: [...turn.saved.steering, text] };
      const session = await deps.findSession(sessionId);
      await session.saveTurn(formatSavedTurn({ ...turn.saved, requests: turn.requests.saved() }));
      return true;
    },
    restore: async () => {
      for (const session of await deps.waiting()) await restoreOne(session);
    },
    end: async (sessionId, why) => {
      const turn = turns.get(sessionId);
      if (turn !== undefined) {
        turns.delete(sessionId);
        await giveUp(deps, sessionId, turn, apiError("CANCELLED", why, {}));
        return true;
      }
      const session = await deps.findSession(sessionId).catch(() => undefined); // none there: whoever runs in it is told
      const saved = session === undefined ? undefined : await savedTurnOf(session, deps.warn);
      if (session === undefined || saved === undefined) return false;
      await writeDown(deps, session, saved, why);
      return true;
    },
  };
}

/** Ends a turn nobody goes on with, and tells whoever watches. */
async function giveUp(
  deps: SuspendedTurnsDeps,
  sessionId: string,
  turn: SuspendedTurn,
  error: ApiError,
): Promise<void> {
  const { saved, live, requests, relay } = turn;
  relay.to({ ...NO_HOOKS, onResolved: (resolved) => void live.emit({ type: "resolved", ...resolved }) });
  await requests.end();
  const session = await deps.findSession(sessionId);
  await writeDown(deps, session, saved, error.message);
  const end: TurnEnd = {
    output: joined(saved.outputs),
    before: saved.before,
    after: session.meta.usage,
    leftover: saved.steering,
    error,
  };
  live.emit({ type: "finished", end });
  live.end();
}

/** The log goes on without the turn: calls that never ran say why. */
async function writeDown(deps: SuspendedTurnsDeps, session: Session, saved: SavedTurn, why: string): Promise<void> {
  const { turnId, agent, by } = saved;
  const recordDeps = { ...deps, newId: deps.loop.newId, now: deps.loop.now };
  const record = createRecord(recordDeps, { session, agent, turnId, by, notice: deps.warn });
  const results = abandonedResults(saved, `not run: ${why}`);
  if (results.length > 0) await record.results(results);
  await record.answer(saved.outputs);
  await session.saveTurn(undefined);
}

/** The turn in a session's file; one that can't be read is put aside, the log repairs itself (SES-26). */
async function savedTurnOf(session: Session, warn: (text: string) => void): Promise<SavedTurn | undefined> {
  const text = await session.savedTurn();
  if (text === undefined) return undefined;
  const saved = parseSavedTurn(text);
  if (saved !== undefined) return saved;
  await session.setTurnAside();
  warn(`the turn that waited in session ${session.id} can't be read; its file is kept as .turn.json.bad`);
  return undefined;
}

const NO_HOOKS: TurnHooks = {
  save: async () => undefined,
  onAsked: () => undefined,
  onResolved: () => undefined,
  onReady: () => undefined,
};

/** Hooks that pass on to whoever has the turn now. */
function createRelay(first: TurnHooks): { readonly hooks: TurnHooks; to(next: TurnHooks): void } {
  let to = first;
  return {
    hooks: {
      save: () => to.save(),
      onAsked: (request) => to.onAsked(request),
      onResolved: (resolved) => to.onResolved(resolved),
      onReady: () => to.onReady(),
    },
    to: (next) => {
      to = next;
    },
  };
}
