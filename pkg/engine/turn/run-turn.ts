// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, apiError, isReason, type Turn, type TurnEnd, type TurnResult } from "@blitz/api";
import { runLoop } from "../loop/index.js";
import { carryOutPrompt, INIT_COMMAND, INIT_PROMPT, planPrompt } from "../prompt/index.js";
import { joined } from "./record.js";
import type { SavedTurn } from "./saved-turn.js";
import { loopRun, openStage, type Running, type Stage, tell, type TurnDeps, type TurnStart } from "./stage.js";
import { startTimeLimit } from "./time-limit.js";

/** One prompt from acceptance to result. What it tells reaches the handlers and every watcher alike. */
export async function runTurn(deps: TurnDeps, start: TurnStart, running: Running): Promise<TurnResult> {
  const { handlers, turn, saved } = start;
  using limit = startTimeLimit(timeLeft(turn, saved?.saved));
  const signals = handlers.signal === undefined ? [] : [handlers.signal];
  const signal = AbortSignal.any([running.abort.signal, limit.signal, ...signals]);
  signal.throwIfAborted();
  const setting = await deps.setting(saved?.saved.agent);
  const session = await deps.session(start.sessionId);
  const stage = openStage(deps, start, setting, session, running);
  const before = saved?.saved.before ?? session.meta.usage;
  const finish = async (error?: unknown): Promise<TurnEnd> => {
    await stage.requests.end();
    await stage.suspension.end();
    const leftover = stage.steering.close();
    if (isInit(turn)) await deps.reloadMemory();
    const end: TurnEnd = { output: joined(stage.outputs), before, after: session.meta.usage, leftover };
    tell(stage, { type: "finished", end: error === undefined ? end : { ...end, error: errorOf(error) } });
    stage.live.end();
    return end;
  };
  try {
    await carryThrough(stage, signal);
  } catch (error) {
    stage.events.flush();
    stage.outputs.push(stage.events.partialText());
    await stage.record.answer(stage.outputs);
    await finish(error);
    throw error;
  }
  return await finish();
}

/** Whether the turn is there to write the instruction file, which is read again when it has ended (MEM-22). */
function isInit({ text, prompt }: Turn): boolean {
  return prompt === undefined && text.trim() === INIT_COMMAND;
}

/** Records the prompt, or takes the saved turn up where it waited, and runs it to its end. */
async function carryThrough(stage: Stage, signal: AbortSignal): Promise<void> {
  const { deps, start, requests, record, events } = stage;
  const { sessionId, turn, handlers, saved } = start;
  const planning = saved?.saved.planning ?? (turn.plan === true || deps.mode.planning());
  deps.plans.begin(sessionId, planning, turn.plan !== true && requests.canAsk());
  if (start.notice !== undefined) events.handle({ type: "notice", text: start.notice, error: false });
  if (saved === undefined) {
    const sent = turn.prompt ?? (isInit(turn) ? INIT_PROMPT : turn.text);
    await record.prompt(turn, planning ? planPrompt(sent) : sent);
    tell(stage, { type: "accepted", by: stage.live.by });
    handlers.onAccepted?.();
    warnUnpriced(stage);
  } else await record.again(turn, saved.saved.prompt);
  await runWithPlans(stage, signal);
  events.flush();
  handlers.onFinished?.();
  signal.throwIfAborted(); // a handler that threw on the last event ends the turn with its error
  await record.answer(stage.outputs);
}

/** Runs the loop, and again for each plan that was approved on the way (WS-45). */
async function runWithPlans(stage: Stage, signal: AbortSignal): Promise<void> {
  const { deps, start, record, outputs } = stage;
  const { unfinished, ...run } = loopRun(stage);
  for (let plansLeft = deps.maxPlans ?? 3, first = true; ; plansLeft--, first = false) {
    const end = await runLoop(deps.loop, first && unfinished !== undefined ? { ...run, unfinished } : run, signal);
    if (end.text !== "") outputs.push(end.text);
    const outcome = deps.plans.outcome(start.sessionId);
    if (outcome.state === "kept") outputs.push(outcome.plan);
    if (outcome.state !== "approved" || plansLeft <= 0) return;
    deps.mode.leavePlan(outcome.acceptEdits);
    await record.goAhead(carryOutPrompt(outcome.file));
  }
}

function timeLeft(turn: Turn, saved: SavedTurn | undefined): number | undefined {
  if (turn.timeoutMs === undefined || saved === undefined) return turn.timeoutMs;
  return Math.max(1, turn.timeoutMs - saved.spent.elapsedMs);
}

function warnUnpriced({ deps, setting, limits, events }: Stage): void {
  if (limits.maxCostUsd <= 0 || deps.loop.priceOf(setting.model.name) !== undefined) return;
  const text = `${setting.model.name} has no known price, so the cost limit can't be enforced`;
  events.handle({ type: "notice", text, error: true });
}

/** A failure as watchers are told it. */
export function errorOf(error: unknown): ApiError {
  if (error instanceof ApiError || isReason(error)) return error;
  if (error instanceof DOMException && error.name === "AbortError") return apiError("CANCELLED", error.message, {});
  return apiError("INTERNAL", error instanceof Error ? error.message : String(error), {}, error);
}
