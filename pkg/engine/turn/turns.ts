// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Asker, type Message, type Turn, type TurnHandlers, type TurnResult } from "@blitz/api";
import type { Event } from "../history/index.js";
import { createSteering, type LoopDeps, type LoopRun, type RunLimits, runLoop, type Steering } from "../loop/index.js";
import type { ChatModel, GenSettings, ToolDecl } from "../models/index.js";
import { carryOutPrompt, planPrompt } from "../prompt/index.js";
import type { Session } from "../session/index.js";
import { createEventMap, type EventMap } from "./event-map.js";
import type { PlanGates } from "./plan-gate.js";
import { startTimeLimit } from "./time-limit.js";

/** What a turn starts with: its agent, model and instructions stay these until it ends. */
export interface TurnSetting {
  readonly agent: string;
  readonly model: ChatModel;
  readonly system: string;
  readonly tools: readonly ToolDecl[];
  readonly settings: GenSettings;
}

/** What running turns needs. */
export interface TurnsDeps {
  readonly loop: LoopDeps;
  readonly session: (id: string) => Promise<Session>;
  /** Resolved anew for each turn; rejects with `MODEL_UNAVAILABLE` before anything is recorded. */
  readonly setting: () => Promise<TurnSetting>;
  readonly checkpoints: {
    begin(turn: {
      readonly session: string;
      readonly turn: string;
      readonly prompt: number;
      readonly label: string;
    }): Promise<void>;
  };
  readonly audit: {
    write(entry: { readonly kind: "prompt"; readonly session: string; readonly detail: string }): void;
  };
  readonly plans: PlanGates;
  /** Who answers questions now; `undefined` = nobody. */
  readonly asker: () => Asker | undefined;
  /** Whether the permission mode plans every prompt, and how to leave it after an approved plan. */
  readonly mode: { planning(): boolean; leavePlan(acceptEdits: boolean): void };
  /** A turn can't be carried out by plans for ever (WS-45). */
  readonly maxPlans?: number;
}

/** The turns of a workspace: one at a time in a session, any number across sessions (WS-47). */
export interface TurnRunner {
  run(sessionId: string, turn: Turn, handlers: TurnHandlers): Promise<TurnResult>;
  steer(sessionId: string, text: string): Promise<void>;
  cancel(sessionId: string): boolean;
  busy(): boolean;
  /** Cancels every turn and waits until each has written what it must. */
  close(reason: unknown): Promise<void>;
}

interface Running {
  readonly abort: AbortController;
  readonly steering: Steering;
  readonly done: Promise<unknown>;
}

/** The turns of a workspace. */
export function createTurns(deps: TurnsDeps): TurnRunner {
  const running = new Map<string, Running>();
  return {
    run: async (sessionId, turn, handlers) => {
      if (turn.text.trim() === "") throw apiError("INVALID_TURN", "the prompt is empty", {});
      if (running.has(sessionId))
        throw apiError("SESSION_BUSY", `a turn is already running in ${sessionId}`, { id: sessionId });
      const abort = new AbortController();
      const steering = createSteering();
      const finished = Promise.withResolvers<void>();
      running.set(sessionId, { abort, steering, done: finished.promise });
      try {
        return await runTurn(deps, sessionId, turn, handlers, abort, steering);
      } finally {
        running.delete(sessionId);
        deps.plans.end(sessionId);
        finished.resolve();
      }
    },
    steer: async (sessionId, text) => {
      const session = await deps.session(sessionId);
      await session.appendMessage({ role: "user", text, time: deps.loop.now(), kind: "steer" });
      const live = running.get(sessionId);
      if (live?.steering.open() !== true) throw apiError("STEER_TOO_LATE", "no turn takes this message any more", {});
      deps.audit.write({ kind: "prompt", session: sessionId, detail: text });
      live.steering.push(text);
    },
    cancel: (sessionId) => {
      const live = running.get(sessionId);
      live?.abort.abort(new DOMException("the turn was cancelled", "AbortError"));
      return live !== undefined;
    },
    busy: () => running.size > 0,
    close: async (reason) => {
      const all = [...running.values()];
      for (const live of all) live.abort.abort(reason);
      await Promise.all(all.map((live) => live.done));
    },
  };
}

/** One prompt from acceptance to result. */
async function runTurn(
  deps: TurnsDeps,
  sessionId: string,
  turn: Turn,
  handlers: TurnHandlers,
  abort: AbortController,
  steering: Steering,
): Promise<TurnResult> {
  using limit = startTimeLimit(turn.timeoutMs);
  const signal = AbortSignal.any([
    abort.signal,
    limit.signal,
    ...(handlers.signal === undefined ? [] : [handlers.signal]),
  ]);
  signal.throwIfAborted();
  const setting = await deps.setting();
  const session = await deps.session(sessionId);
  const before = session.meta.usage;
  const turnId = `e-${deps.loop.newId()}`;
  const events = createEventMap(setting.agent, handlers.onEvent, (error) => abort.abort(error));
  const planning = turn.plan === true || deps.mode.planning();
  deps.plans.begin(sessionId, planning, turn.plan !== true && deps.asker() !== undefined);

  const notice = (text: string): void => events.handle({ type: "notice", text, error: true });
  const record = createRecord(deps, session, setting.agent, turnId, notice);
  await record.prompt(turn, planning);
  handlers.onAccepted?.();

  const limits: RunLimits = { maxTurns: turn.maxTurns ?? 0, maxCostUsd: turn.maxCostUsd ?? 0, calls: 0, costUsd: 0 };
  warnUnpriced(deps, setting, limits, events);
  const run = loopRun(deps, setting, session, { sessionId, turnId, turn }, events, steering, limits);
  const outputs: string[] = [];
  try {
    await runWithPlans(deps, run, sessionId, record, outputs, signal);
  } catch (error) {
    events.flush();
    outputs.push(events.partialText());
    await record.answer(outputs);
    throw error;
  }
  events.flush();
  handlers.onFinished?.();
  signal.throwIfAborted(); // a handler that threw on the last event ends the turn with its error
  await record.answer(outputs);
  return { output: joined(outputs), before, after: session.meta.usage, leftover: steering.close() };
}

/** Runs the loop, and again for each plan that was approved on the way (WS-45). */
async function runWithPlans(
  deps: TurnsDeps,
  run: LoopRun,
  sessionId: string,
  record: TurnRecord,
  outputs: string[],
  signal: AbortSignal,
): Promise<void> {
  for (let plansLeft = deps.maxPlans ?? 3; ; plansLeft--) {
    const end = await runLoop(deps.loop, run, signal);
    if (end.text !== "") outputs.push(end.text);
    const outcome = deps.plans.outcome(sessionId);
    if (outcome.state === "kept") outputs.push(outcome.plan);
    if (outcome.state !== "approved" || plansLeft <= 0) return;
    deps.mode.leavePlan(outcome.acceptEdits);
    await record.goAhead(carryOutPrompt(outcome.file));
  }
}

function loopRun(
  deps: TurnsDeps,
  setting: TurnSetting,
  session: Session,
  about: { readonly sessionId: string; readonly turnId: string; readonly turn: Turn },
  events: EventMap,
  steering: Steering,
  limits: RunLimits,
): LoopRun {
  const { sessionId, turnId, turn } = about;
  const restriction = (): { readonly mode: string } | undefined =>
    deps.plans.planning(sessionId) ? { mode: "plan" } : turn.readOnly === true ? { mode: "this turn" } : undefined;
  return {
    model: setting.model,
    system: setting.system,
    tools: setting.tools,
    settings: setting.settings,
    log: session,
    call: { sessionId, turnId, agent: setting.agent, emit: events.handle, restriction, ask: deps.asker() },
    steering,
    limits,
    emit: events.handle,
    endAfterBatch: () => deps.plans.decided(sessionId),
  };
}

/** What a turn writes into transcript and log. Failures of the transcript are notices, never a failed turn (WS-28). */
interface TurnRecord {
  prompt(turn: Turn, planning: boolean): Promise<void>;
  goAhead(text: string): Promise<void>;
  answer(outputs: readonly string[]): Promise<void>;
}

function createRecord(
  deps: TurnsDeps,
  session: Session,
  agent: string,
  turnId: string,
  notice: (text: string) => void,
): TurnRecord {
  const message = async (role: Message["role"], text: string, kind: Message["kind"]): Promise<void> => {
    try {
      await session.appendMessage({ role, text, time: deps.loop.now(), kind });
    } catch (error) {
      notice(`the message could not be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const userEvent = async (text: string): Promise<void> => {
    const event: Event = {
      v: 1,
      id: deps.loop.newId(),
      turn: turnId,
      time: deps.loop.now().toISOString(),
      author: "user",
      role: "user",
      parts: [{ type: "text", text }],
    };
    await session.appendEvents([event]);
  };
  return {
    prompt: async (turn, planning) => {
      const recorded = turn.plan === true ? `/plan ${turn.text}` : turn.text;
      const sent = turn.prompt ?? turn.text;
      session.noteAgent(agent);
      deps.audit.write({ kind: "prompt", session: session.id, detail: recorded });
      const { messageCount: prompt } = session.meta;
      await Promise.all([
        deps.checkpoints.begin({ session: session.id, turn: turnId, prompt, label: labelOf(recorded) }),
        message("user", recorded, ""),
      ]);
      await userEvent(planning ? planPrompt(sent) : sent);
    },
    goAhead: async (text) => {
      await message("user", `(plan approved) ${text}`, "plan");
      await userEvent(text);
    },
    answer: async (outputs) => {
      const text = joined(outputs);
      if (text !== "") await message("model", text, "");
    },
  };
}

function warnUnpriced(deps: TurnsDeps, setting: TurnSetting, limits: RunLimits, events: EventMap): void {
  if (limits.maxCostUsd <= 0 || deps.loop.priceOf(setting.model.name) !== undefined) return;
  const text = `${setting.model.name} has no known price, so the cost limit can't be enforced`;
  events.handle({ type: "notice", text, error: true });
}

/** The prompt on one line, at most 60 characters (FS-60). */
function labelOf(text: string): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length <= 60 ? points.join("") : `${points.slice(0, 59).join("")}…`;
}

function joined(outputs: readonly string[]): string {
  return outputs.filter((text) => text.trim() !== "").join("\n\n");
}
