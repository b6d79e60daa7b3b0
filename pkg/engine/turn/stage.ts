// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, LiveEvent, Turn, TurnHandlers } from "@blitz/api";
import type { Happening, LiveTurn, LiveTurns } from "../live/index.js";
import type { LoopDeps, LoopRun, RunLimits, Steering } from "../loop/index.js";
import type { ChatModel, GenSettings, ToolDecl } from "../models/index.js";
import type { RequestBroker, TurnHooks, TurnRequests } from "../requests/index.js";
import type { Session } from "../session/index.js";
import { createEventMap, type EventMap } from "./event-map.js";
import type { PlanGates } from "./plan-gate.js";
import { createRecord, type RecordDeps, type TurnRecord } from "./record.js";
import type { SavedTurn } from "./saved-turn.js";
import { createSuspension, type Suspension, unfinishedOf } from "./suspension.js";

/** What a turn starts with: its agent, model and instructions stay these until it ends. */
export interface TurnSetting {
  readonly agent: string;
  readonly model: ChatModel;
  readonly system: string;
  readonly tools: readonly ToolDecl[];
  readonly settings: GenSettings;
}

/** What running a turn needs. */
export interface TurnDeps extends Pick<RecordDeps, "checkpoints" | "audit"> {
  readonly loop: LoopDeps;
  readonly session: (id: string) => Promise<Session>;
  /** Resolved anew for each turn, with the active agent or the one named; rejects with `MODEL_UNAVAILABLE` or `UNKNOWN_AGENT`. */
  readonly setting: (agent?: string) => Promise<TurnSetting>;
  /** Reads the instruction files again, for the turns to come (MEM-22). Never rejects. */
  readonly reloadMemory: () => Promise<void>;
  readonly plans: PlanGates;
  readonly requests: RequestBroker;
  readonly live: LiveTurns;
  /** Whether turns that wait are kept for the next process (SVC-25). */
  readonly keepsWaiting: boolean;
  /** Whether the permission mode plans every prompt, and how to leave it after an approved plan. */
  readonly mode: { planning(): boolean; leavePlan(acceptEdits: boolean): void };
  /** A turn can't be carried out by plans for ever (WS-45). */
  readonly maxPlans?: number;
}

/** A turn that is running. */
export interface Running {
  readonly abort: AbortController;
  readonly steering: Steering;
  readonly done: Promise<unknown>;
  /** Gives the turn up with its process and leaves its file, if it waits for a person; whether it did. */
  suspend: () => boolean;
  /** Called when it begins to wait for a person. */
  onWaiting: () => void;
  /** Brings its file up to date, if it has one: a steering message came. */
  save: () => Promise<void>;
}

/** What is run: a new prompt, or a turn an earlier process left waiting. */
export interface TurnStart {
  readonly sessionId: string;
  readonly turn: Turn;
  readonly handlers: TurnHandlers;
  readonly saved?: SuspendedTurn;
  /** Told to whoever watches, before anything else. */
  readonly notice?: string;
}

/** A turn an earlier process left waiting: live for watchers, its requests open. */
export interface SuspendedTurn {
  /** Changes when a steering message comes. */
  saved: SavedTurn;
  readonly live: LiveTurn;
  readonly requests: TurnRequests;
  /** Whoever has the turn now gets its hooks called. */
  readonly relay: { to(hooks: TurnHooks): void };
}

/** A turn as its parts see it. */
export interface Stage {
  readonly deps: TurnDeps;
  readonly start: TurnStart;
  readonly setting: TurnSetting;
  readonly session: Session;
  readonly live: LiveTurn;
  readonly requests: TurnRequests;
  readonly suspension: Suspension;
  readonly events: EventMap;
  readonly record: TurnRecord;
  readonly limits: RunLimits;
  readonly steering: Steering;
  readonly outputs: string[];
}

const NOTHING_SPENT: SavedTurn["spent"] = { calls: 0, costUsd: 0, elapsedMs: 0 };

function spentSoFar({ calls, costUsd }: RunLimits): { readonly calls: number; readonly costUsd: number } {
  return { calls, costUsd };
}

/** Puts a turn's parts together: what it tells reaches the handlers and every watcher alike. */
export function openStage(
  deps: TurnDeps,
  start: TurnStart,
  setting: TurnSetting,
  session: Session,
  running: Running,
): Stage {
  const { turn, handlers, saved, sessionId } = start;
  const by = saved?.saved.by ?? handlers.by ?? "local";
  const turnId = saved?.saved.turnId ?? `e-${deps.loop.newId()}`;
  const started = saved?.saved.started ?? deps.loop.now();
  const live = saved?.live ?? deps.live.begin(sessionId, { turnId, by, started });
  live.setPhase("running");
  const say = (happening: Happening): void => telling(live, handlers, happening);
  const events = createEventMap(
    setting.agent,
    (event) => {
      say({ type: "turn", event });
      handlers.onEvent(event);
    },
    (error) => running.abort.abort(error),
  );
  const notice = (text: string): void => events.handle({ type: "notice", text, error: true });
  const spent = saved?.saved.spent ?? NOTHING_SPENT;
  const limits: RunLimits = { maxTurns: turn.maxTurns ?? 0, maxCostUsd: turn.maxCostUsd ?? 0, ...spent };
  const outputs = [...(saved?.saved.outputs ?? [])];
  const begun = performance.now();
  const before = saved?.saved.before ?? session.meta.usage;
  const prompt = saved?.saved.prompt ?? session.meta.messageCount;
  const suspension = createSuspension({
    saveTurn: deps.keepsWaiting ? (text) => session.saveTurn(text) : async () => undefined,
    requests: () => requests.saved(),
    onBatchEnd: () => requests.withdrawUnasked(),
    isOnDisk: saved !== undefined,
    about: () => ({
      ...{ turnId, agent: setting.agent, by, started, turn, prompt, before, outputs },
      planning: deps.plans.planning(sessionId),
      spent: { ...spentSoFar(limits), elapsedMs: spent.elapsedMs + (performance.now() - begun) },
      steering: running.steering.waiting(),
      lastEvent: live.lastEvent(),
    }),
    onProblem: (error) =>
      notice(`this turn waits only as long as Blitz runs, since it can't be saved: ${(error as Error).message}`),
  });
  const hooks: TurnHooks = {
    save: suspension.save,
    onAsked: (request) => {
      events.flush();
      say({ type: "request", request });
      running.onWaiting();
    },
    onResolved: (resolved) => say({ type: "resolved", ...resolved }),
    onReady: () => undefined,
  };
  saved?.relay.to(hooks);
  const requests =
    saved?.requests ?? deps.requests.open({ sessionId, turnId, refuses: turn.onRequest === "deny" }, hooks);
  running.suspend = () => {
    if (!deps.keepsWaiting || requests.saved().length === 0) return false;
    suspension.freeze();
    return true;
  };
  running.save = suspension.save;
  const recordDeps: RecordDeps = { ...deps, newId: deps.loop.newId, now: deps.loop.now };
  const record = createRecord(recordDeps, { session, agent: setting.agent, turnId, by, notice });
  const { steering } = running;
  return { deps, start, setting, session, live, requests, suspension, events, record, limits, steering, outputs };
}

/** The loop's run of a turn. */
export function loopRun(stage: Stage): LoopRun {
  const { deps, start, setting, session, live, requests, suspension, events, limits, steering } = stage;
  const { sessionId, turn, saved } = start;
  const restriction = (): { readonly mode: string } | undefined =>
    deps.plans.planning(sessionId) ? { mode: "plan" } : turn.readOnly === true ? { mode: "this turn" } : undefined;
  return {
    model: setting.model,
    system: setting.system,
    tools: setting.tools,
    settings: setting.settings,
    log: session,
    call: {
      sessionId,
      turnId: live.turnId,
      agent: setting.agent,
      emit: events.handle,
      restriction,
      ask: requests.canAsk() ? askerOf(requests) : undefined,
    },
    steering,
    limits,
    emit: events.handle,
    watch: suspension.watch,
    ...(saved === undefined || saved.saved.calls.length === 0 ? {} : { unfinished: unfinishedOf(saved.saved) }),
    endAfterBatch: () => deps.plans.decided(sessionId),
  };
}

const WHY_UNANSWERED: Readonly<Record<string, string>> = {
  expired: "nobody answered in time",
  cancelled: "the turn was cancelled before anybody answered",
  nobody: "nobody can answer now: decide yourself and state what you assumed",
};

/** Questions of the turn's calls, put to whoever answers. */
function askerOf(requests: TurnRequests): NonNullable<LoopRun["call"]["ask"]> {
  return async (question, signal, callId) => {
    const settled = await requests.ask({ question }, callId, signal);
    if (settled.outcome === "answered") return settled.answer as Answer;
    throw new Error(WHY_UNANSWERED[settled.outcome] ?? (settled.outcome === "failed" ? settled.why : ""));
  };
}

/** Tells watchers and whoever runs the turn. */
export function tell({ live, start }: Stage, happening: Happening): void {
  telling(live, start.handlers, happening);
}

function telling(live: LiveTurn, handlers: TurnHandlers, happening: Happening): void {
  const event: LiveEvent = live.emit(happening);
  handlers.onLive?.(event);
}
