// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Turn, type TurnHandlers, type TurnResult } from "@blitz/api";
import { createSteering } from "../loop/index.js";
import type { Session } from "../session/index.js";
import { runTurn } from "./run-turn.js";
import type { Running, TurnDeps } from "./stage.js";
import { createSuspendedTurns } from "./suspended-turns.js";

/** What the turns of a workspace need. */
export interface TurnsDeps extends TurnDeps {
  /** A session by its ID, without making it the active one. */
  readonly findSession: (id: string) => Promise<Session>;
  /** A turn in a session has ended. */
  readonly release: (id: string) => Promise<void>;
  /** Sessions with a turn an earlier process left waiting. */
  readonly waiting: () => Promise<readonly Session[]>;
  readonly warn: (text: string) => void;
}

/** The turns of a workspace: one at a time in a session, any number across sessions (WS-47). */
export interface TurnRunner {
  run(sessionId: string, turn: Turn, handlers: TurnHandlers): Promise<TurnResult>;
  steer(sessionId: string, text: string, by?: string): Promise<void>;
  /** Ends the turn that runs or waits; whether there was one. */
  cancel(sessionId: string): Promise<boolean>;
  /** Whether a turn runs or waits. */
  busy(): boolean;
  /** Takes up what an earlier process left waiting: listed, and gone on with when answered (SVC-25). */
  restore(): Promise<void>;
  /**
   * Takes no new turn, leaves those that wait for a person to the next process at once, and gives the
   * others so long to end or to begin waiting (SVC-04).
   */
  windDown(graceMs: number): Promise<void>;
  /**
   * Ends every turn: one that waits for a person is left for the next process where turns are kept,
   * the others are cancelled and waited for until each has written what it must.
   */
  close(reason: unknown): Promise<void>;
}

/** The turns of a workspace. */
export function createTurns(deps: TurnsDeps): TurnRunner {
  const running = new Map<string, Running>();
  let isClosing = false;

  const start = async (
    begin: Omit<Parameters<typeof runTurn>[1], "notice">,
    notice: () => Promise<string | undefined>,
  ): Promise<TurnResult> => {
    const { sessionId } = begin;
    const abort = new AbortController();
    const finished = Promise.withResolvers<void>();
    const turn: Running = {
      abort,
      steering: createSteering(begin.saved?.saved.steering),
      done: finished.promise,
      suspend: () => false,
      onWaiting: () => undefined,
      save: async () => undefined,
    };
    running.set(sessionId, turn);
    try {
      const said = await notice();
      return await runTurn(deps, said === undefined ? begin : { ...begin, notice: said }, turn);
    } finally {
      running.delete(sessionId);
      deps.plans.end(sessionId);
      await deps.release(sessionId);
      finished.resolve();
    }
  };
  const suspended = createSuspendedTurns(deps, async (sessionId, turn) => {
    const begin = { sessionId, turn: turn.saved.turn, handlers: { onEvent: () => undefined }, saved: turn };
    await start(begin, async () => undefined);
  });

  return {
    run: async (sessionId, turn, handlers) => {
      if (turn.text.trim() === "") throw apiError("INVALID_TURN", "the prompt is empty", {});
      if (isClosing) throw apiError("SHUTTING_DOWN", "no new turn begins while the workspace closes", {});
      if (running.has(sessionId))
        throw apiError("SESSION_BUSY", `a turn is already running in ${sessionId}`, { id: sessionId });
      return await start({ sessionId, turn, handlers }, async () =>
        (await suspended.end(sessionId, "a new prompt was sent before anybody answered"))
          ? "the turn that was waiting for an answer in this session has ended, because a new prompt was sent"
          : undefined,
      );
    },
    steer: async (sessionId, text, by) => {
      const session = await deps.findSession(sessionId);
      await session.appendMessage({ role: "user", text, time: deps.loop.now(), kind: "steer" });
      const live = running.get(sessionId);
      if (live?.steering.open() === true) live.steering.push(text);
      else if (!(await suspended.steer(sessionId, text)))
        throw apiError("STEER_TOO_LATE", "no turn takes this message any more", {});
      deps.audit.write({ kind: "prompt", session: sessionId, detail: text, ...(by === undefined ? {} : { by }) });
      await live?.save();
    },
    cancel: async (sessionId) => {
      const live = running.get(sessionId);
      if (live === undefined) return await suspended.end(sessionId, "the turn was cancelled before anybody answered");
      live.abort.abort(new DOMException("the turn was cancelled", "AbortError"));
      return true;
    },
    busy: () => running.size > 0 || suspended.size() > 0,
    restore: suspended.restore,
    windDown: async (graceMs) => {
      isClosing = true;
      const settled = [...running.values()].map((turn) => {
        const left = Promise.withResolvers<void>();
        turn.onWaiting = () => void (turn.suspend() && left.resolve());
        turn.onWaiting();
        return Promise.race([turn.done, left.promise]);
      });
      await within(Promise.all(settled), graceMs);
    },
    close: async (reason) => {
      isClosing = true;
      const ending = [...running.values()].filter((turn) => !turn.suspend());
      for (const turn of ending) turn.abort.abort(reason);
      await Promise.all(ending.map((turn) => turn.done));
      deps.live.close();
    },
  };
}

/** Waits for work, at most so long. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
