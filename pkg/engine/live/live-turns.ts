// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, Request, TurnPhase, TurnState, WatchFrom, WatchHandlers } from "@blitz/api";
import { createEventStore, type EventStore, type Happening } from "./event-store.js";

/** What keeping turns needs. */
export interface LiveTurnsDeps {
  /** What waits for a person in a session, oldest first. */
  readonly requests: (sessionId: string) => readonly Request[];
  /** Most bytes of events kept of one turn (PRT-24). */
  readonly maxBytes?: number;
  /** How long an ended turn is kept. */
  readonly keepMs?: number;
}

/** A turn while it is live: whoever runs it tells what happens. */
export interface LiveTurn {
  readonly turnId: string;
  readonly by: string;
  readonly started: Date;
  emit(happening: Happening): LiveEvent;
  setPhase(phase: "running" | "suspended"): void;
  lastEvent(): number;
  /** After its `finished` event: watchers end, the events stay for a while. */
  end(): void;
}

/** The live or last turn of each session, and who watches (SVC-22). */
export interface LiveTurns {
  /** A turn begins; the session's last one is forgotten. `from`: events it had before a restart. */
  begin(sessionId: string, about: { turnId: string; by: string; started: Date; from?: number }): LiveTurn;
  state(sessionId: string): TurnState;
  /** Resolves when the turn has ended, or the signal aborts; a throwing handler rejects. */
  watch(sessionId: string, from: WatchFrom, handlers: WatchHandlers): Promise<void>;
  /** Ends every watch and forgets every turn. */
  close(): void;
}

interface Watcher {
  readonly from: WatchFrom;
  readonly onEvent: (event: LiveEvent) => void;
  readonly end: () => void;
}

/** One session's turn, and its watchers; watchers that follow stay from turn to turn. */
interface Stage {
  turn: { readonly about: LiveTurn; readonly store: EventStore; phase: TurnPhase } | undefined;
  readonly watchers: Set<Watcher>;
  forget: NodeJS.Timeout | undefined;
}

const MAX_BYTES: number = 8 << 20;
const KEEP_MS: number = 10 * 60_000;

/** Keeps what turns tell, and sends it to watchers: those who come late get the events so far first. */
export function createLiveTurns(deps: LiveTurnsDeps): LiveTurns {
  const stages = new Map<string, Stage>();
  const stageOf = (sessionId: string): Stage => {
    const known = stages.get(sessionId) ?? { turn: undefined, watchers: new Set<Watcher>(), forget: undefined };
    stages.set(sessionId, known);
    return known;
  };
  const dropIfIdle = (sessionId: string, stage: Stage): void => {
    if (stage.turn === undefined && stage.watchers.size === 0) stages.delete(sessionId);
  };
  const tell = (stage: Stage, event: LiveEvent): void => {
    for (const watcher of stage.watchers) watcher.onEvent(event);
  };
  const endTurn = (sessionId: string, stage: Stage): void => {
    if (stage.turn !== undefined) stage.turn.phase = "ended";
    for (const watcher of stage.watchers) if (watcher.from.follow !== true) watcher.end();
    stage.forget = setTimeout(() => {
      stage.turn = undefined;
      dropIfIdle(sessionId, stage);
    }, deps.keepMs ?? KEEP_MS).unref();
  };

  const state = (sessionId: string): TurnState => {
    const turn = stages.get(sessionId)?.turn;
    if (turn === undefined)
      return { turnId: "", sessionId, by: "", phase: "ended", firstEvent: 0, lastEvent: 0, requests: [] };
    const requests = turn.phase === "ended" ? [] : deps.requests(sessionId);
    return {
      turnId: turn.about.turnId,
      sessionId,
      by: turn.about.by,
      started: turn.about.started,
      phase: turn.phase === "running" && requests.length > 0 ? "waiting" : turn.phase,
      firstEvent: turn.store.first(),
      lastEvent: turn.store.last(),
      requests,
    };
  };

  return {
    state,
    begin: (sessionId, { from = 0, ...about }) => {
      const stage = stageOf(sessionId);
      clearTimeout(stage.forget);
      const store = createEventStore(about.turnId, from, deps.maxBytes ?? MAX_BYTES);
      const turn: LiveTurn = {
        ...about,
        emit: (happening) => {
          const event = store.add(happening);
          tell(stage, event);
          return event;
        },
        setPhase: (phase) => {
          if (stage.turn?.about === turn) stage.turn.phase = phase;
        },
        lastEvent: store.last,
        end: () => endTurn(sessionId, stage),
      };
      stage.turn = { about: turn, store, phase: "running" };
      return turn;
    },
    watch: (sessionId, from, handlers) => {
      const stage = stageOf(sessionId);
      return watchStage(stage, state(sessionId), from, handlers).finally(() => dropIfIdle(sessionId, stage));
    },
    close: () => {
      for (const stage of stages.values()) {
        clearTimeout(stage.forget);
        for (const watcher of stage.watchers) watcher.end();
      }
      stages.clear();
    },
  };
}

/** State, the events so far, then live ones: in one go, so that none is missed or sent twice. */
async function watchStage(stage: Stage, state: TurnState, from: WatchFrom, handlers: WatchHandlers): Promise<void> {
  const { signal } = handlers;
  if (signal?.aborted === true) return;
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  let failure: { readonly error: unknown } | undefined;
  const onEvent = (event: LiveEvent): void => {
    if (failure !== undefined) return;
    try {
      handlers.onEvent(event);
    } catch (error) {
      failure = { error }; // the watcher's own failure ends its watch, never the turn
      end();
    }
  };
  const watcher: Watcher = { from, onEvent, end };
  stage.watchers.add(watcher);
  signal?.addEventListener("abort", end, { once: true });
  try {
    handlers.onState(state);
    const { turn } = stage;
    const isOther = from.turnId !== undefined && from.turnId !== turn?.about.turnId;
    const after = isOther ? 0 : from.after;
    if (turn !== undefined && after >= 0) for (const event of turn.store.after(after)) onEvent(event);
    const isOver = (turn === undefined || turn.phase === "ended") && from.follow !== true;
    if (!isOver) await ended.promise;
    if (failure !== undefined) throw failure.error;
  } finally {
    stage.watchers.delete(watcher);
    signal?.removeEventListener("abort", end);
  }
}
