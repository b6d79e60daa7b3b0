// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Usage } from "@blitz/api";
import {
  callsOf,
  type Event,
  type LogLine,
  type Msg,
  type Part,
  textOf,
  type ToolCallPart,
  view,
} from "../history/index.js";
import type { ChatModel, GenSettings, ModelFinal, Price, ToolDecl } from "../models/index.js";
import type { CallRun, Calls } from "../tools/call/index.js";
import { estimateTokens, reserveOutput, usageOf } from "../usage/index.js";
import { type Batch, type BatchWatch, runBatch } from "./batch.js";
import type { LoopEnd, LoopEvent } from "./loop-event.js";
import { asApiError } from "./model-failure.js";
import { createRepeatGuard } from "./repeat-guard.js";
import type { Steering } from "./steering.js";

/** The log a run reads and extends; `session`'s is one. */
export interface RunLog {
  log(): Promise<readonly LogLine[]>;
  appendEvents(events: readonly Event[]): Promise<void>;
  /** Kept at once, saved soon. */
  addUsage(used: Usage): void;
}

/** What every run needs. */
export interface LoopDeps {
  readonly calls: Calls;
  readonly maxParallel: number;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly priceOf: (model: string) => Price | undefined;
}

/** One run: what it starts with stays what it is until it ends. */
export interface LoopRun {
  readonly model: ChatModel;
  readonly system: string;
  readonly tools: readonly ToolDecl[];
  readonly settings: GenSettings;
  readonly log: RunLog;
  readonly call: CallRun;
  readonly steering: Steering;
  /** Model calls left in the turn and money spent in it: shared by the runs of one turn. */
  readonly limits: RunLimits;
  readonly emit: (event: LoopEvent) => void;
  readonly watch?: BatchWatch;
  /** The batch a suspended turn left, whose answer is the log's last event: gone on with before the model is asked. */
  readonly unfinished?: Batch;
  /** Asked after each batch: true ends the run (a plan is waiting to be carried out, or kept). */
  readonly endAfterBatch: () => boolean;
}

/** Limits of a turn (WS-29); the counts are the loop's to change. */
export interface RunLimits {
  readonly maxTurns: number;
  readonly maxCostUsd: number;
  calls: number;
  costUsd: number;
}

/**
 * Model → tools → model until it answers without calls (ENG-110). Everything final is in the log
 * before it is emitted.
 *
 * @throws ApiError `MAX_TURNS` `COST_LIMIT` `MODEL_FAILED` `QUOTA_EXCEEDED`; the signal's reason when
 *   aborted. The log is resumable in each case (ENG-102).
 */
export async function runLoop(deps: LoopDeps, run: LoopRun, signal: AbortSignal): Promise<LoopEnd> {
  const guard = createRepeatGuard();
  for (let { unfinished } = run; ; unfinished = undefined) {
    signal.throwIfAborted();
    const final = unfinished === undefined ? await callModel(deps, run, signal) : undefined;
    const calls = unfinished?.calls ?? callsOf(final?.parts ?? []);
    if (final !== undefined && calls.length === 0) return endOf(run, final);
    const settled = await runBatch(
      { calls: deps.calls, maxParallel: deps.maxParallel, watch: run.watch },
      unfinished ?? { calls, settled: new Map() },
      run.call,
      signal,
    );
    const { results, stuck } = guard.check(calls, settled);
    await store(run, eventOf(deps, run, { role: "tool", parts: run.steering.attach(results) }));
    await run.watch?.end();
    signal.throwIfAborted();
    const text = textOf(final?.parts ?? []);
    if (stuck) {
      run.emit({
        type: "notice",
        text: `stopped: ${calls.at(-1)?.name} failed the same way six times in a row`,
        error: true,
      });
      return { stop: "stuck", text };
    }
    if (run.endAfterBatch()) return { stop: "ended", text };
  }
}

function endOf(run: LoopRun, final: ModelFinal): LoopEnd {
  if (final.stop === "max_tokens")
    run.emit({ type: "notice", text: "the answer was cut at the output limit (blitz.max_tokens)", error: true });
  return { stop: final.stop, text: textOf(final.parts) };
}

async function callModel(deps: LoopDeps, run: LoopRun, signal: AbortSignal): Promise<ModelFinal> {
  const { limits, model } = run;
  if (limits.maxTurns > 0 && limits.calls >= limits.maxTurns) {
    throw apiError("MAX_TURNS", `maximum turns reached (${limits.maxTurns} model calls)`, {
      limit: String(limits.maxTurns),
    });
  }
  const messages = view(await run.log.log());
  const settings = withinBudget(deps, run, messages);
  limits.calls += 1;
  const answer = await answerOf(run, messages, settings, signal);
  const final = { ...answer, parts: usable(deps, answer, messages) };
  const used = usageOf(final.usage, deps.priceOf(final.servedBy) ?? deps.priceOf(model.name));
  limits.costUsd += used.costUsd;
  const event = eventOf(deps, run, {
    role: "model",
    parts: final.parts,
    model: final.servedBy,
    stop: final.stop,
    usage: final.usage,
    ...(final.fallbackFrom === undefined ? {} : { fallbackFrom: final.fallbackFrom }),
  });
  run.log.addUsage(used);
  await store(run, event);
  if (final.stop === "context_full" && callsOf(final.parts).length === 0) {
    throw apiError("MODEL_FAILED", "the conversation no longer fits the model's context", {
      model: model.name,
      kind: "context_full",
    });
  }
  return final;
}

async function answerOf(
  run: LoopRun,
  messages: readonly Msg[],
  settings: GenSettings,
  signal: AbortSignal,
): Promise<ModelFinal> {
  const { model, system, tools } = run;
  try {
    const request = { system, messages, tools, settings, stream: true, sessionId: run.call.sessionId, signal };
    for await (const event of model.generate(request)) {
      if (event.type === "final") return event;
      if (event.type === "textDelta") run.emit({ type: "delta", kind: "text", text: event.text });
      else if (event.type === "thoughtDelta") run.emit({ type: "delta", kind: "thought", text: event.text });
    }
  } catch (error) {
    signal.throwIfAborted(); // the reason of the abort says why, whatever the adapter made of it
    throw asApiError(error, model.name);
  }
  throw apiError("MODEL_FAILED", "the model's answer ended without an end", { model: model.name, kind: "network" });
}

/** The settings of the next call, its answer cut to what a money limit leaves (ENG-130). */
function withinBudget(deps: LoopDeps, run: LoopRun, messages: readonly Msg[]): GenSettings {
  const price = run.limits.maxCostUsd > 0 ? deps.priceOf(run.model.name) : undefined;
  if (price === undefined) return run.settings;
  const characters = run.system.length + JSON.stringify(run.tools).length + JSON.stringify(messages).length;
  const wanted = run.settings.maxTokens ?? run.model.maxOutput;
  const left = run.limits.maxCostUsd - run.limits.costUsd;
  return {
    ...run.settings,
    maxTokens: reserveOutput(run.limits.maxCostUsd, left, estimateTokens(characters), wanted, price),
  };
}

/**
 * The answer's parts as they go into the log: a call the answer was cut in isn't run (MDL-31), and
 * call IDs are made unique and of the form every provider takes.
 */
function usable(deps: LoopDeps, final: ModelFinal, messages: readonly Msg[]): readonly Part[] {
  const seen = new Set(messages.flatMap((message) => callsOf(message.parts).map((call) => call.id)));
  const lastCall = callsOf(final.parts).at(-1);
  return final.parts.map((part) => {
    if (part.type !== "toolCall") return part;
    const id =
      /^[A-Za-z0-9_-]{1,64}$/.test(part.id) && !seen.has(part.id)
        ? part.id
        : `call_${deps.newId().replaceAll("-", "")}`;
    seen.add(id);
    const cut = final.stop === "max_tokens" && part === lastCall;
    const invalid =
      part.invalid ?? (cut ? "the answer was cut at the output limit, so this call may be incomplete" : undefined);
    return { ...part, id, ...(invalid === undefined ? {} : { invalid }) } satisfies ToolCallPart;
  });
}

/** Puts an event into the log, then tells it. */
async function store(run: LoopRun, event: Event): Promise<void> {
  await run.log.appendEvents([event]);
  run.emit({ type: "event", event });
}

function eventOf(deps: LoopDeps, run: LoopRun, made: Pick<Event, "role" | "parts"> & Partial<Event>): Event {
  return {
    v: 1,
    id: deps.newId(),
    turn: run.call.turnId,
    time: deps.now().toISOString(),
    author: run.call.agent,
    ...made,
  };
}
