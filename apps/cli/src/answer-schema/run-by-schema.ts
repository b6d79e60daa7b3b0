// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turn, TurnResult } from "@blitz/api";
import type { Words } from "../opening.js";
import type { AnswerSchema } from "./answer-schema.js";

/** What a turn whose answer must fit a schema needs. */
export interface SchemaTurnDeps {
  readonly schema: AnswerSchema;
  readonly messages: Words;
  readonly run: (turn: Turn) => Promise<TurnResult>;
  readonly notice: (text: string) => void;
}

/**
 * Runs a turn, and once more with what is wrong when the answer doesn't fit; the retry has what is left of
 * the limits, and no tool that changes anything (CLI-27).
 *
 * @returns the JSON of the answer
 * @throws Error in the interface's language when it fits neither time
 */
export async function runBySchema({ schema, messages, run, notice }: SchemaTurnDeps, turn: Turn): Promise<unknown> {
  const started = performance.now();
  const first = await run({ ...turn, prompt: `${turn.text}\n\n${schema.instruction}` });
  const checked = schema.check(first.output);
  if ("value" in checked) return checked.value;
  const { t } = await messages();
  const limits = limitsLeft(turn, first, performance.now() - started);
  if (limits === undefined) throw new Error(t("schema.failed", { problem: checked.problem }));
  notice(t("schema.retry", { problem: checked.problem }));
  const second = await run({ ...limits, ...retryOf(turn, checked.problem) });
  const again = schema.check(second.output);
  if ("value" in again) return again.value;
  throw new Error(t("schema.failed", { problem: again.problem }));
}

/** Asks again; the transcript has the prompt already and needs nothing of this. */
function retryOf({ text, onRequest }: Turn, problem: string): Turn {
  return {
    text,
    accepted: true,
    readOnly: true,
    prompt: `Your answer doesn't fit the JSON Schema: ${problem}\nAnswer again with the corrected JSON alone.`,
    ...(onRequest === undefined ? {} : { onRequest }),
  };
}

type Limits = Pick<Turn, "maxTurns" | "maxCostUsd" | "timeoutMs">;

/** `undefined` when one is used up. */
function limitsLeft(turn: Turn, { before, after }: TurnResult, elapsedMs: number): Limits | undefined {
  const used = {
    maxTurns: after.calls - before.calls,
    maxCostUsd: after.costUsd - before.costUsd,
    timeoutMs: elapsedMs,
  };
  const left: { -readonly [K in keyof Limits]: Limits[K] } = {};
  for (const name of ["maxTurns", "maxCostUsd", "timeoutMs"] as const) {
    const limit = turn[name];
    if (limit === undefined) continue;
    if (limit <= used[name]) return undefined;
    left[name] = limit - used[name];
  }
  return left;
}
