// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, NO_USAGE, type Usage } from "@blitz/api";
import type { ModelFinal, Price } from "../models/index.js";

/** Tokens of one call as the model reported them. */
export type CallUsage = ModelFinal["usage"];

/** What one call cost (ENG-81). Counts out of range never make it negative. */
export function costOf(used: CallUsage, price: Price): number {
  const { input, cached, cacheWrite, output } = clamp(used);
  const plain = input - cached - cacheWrite;
  const dollars =
    plain * price.inputPerMtok +
    cached * (price.cachedInputPerMtok ?? price.inputPerMtok) +
    cacheWrite * (price.cacheWritePerMtok ?? price.inputPerMtok) +
    output * price.outputPerMtok;
  return dollars / 1e6;
}

/** A call as usage; without a price it is counted and marks the sum as not wholly priced. */
export function usageOf(used: CallUsage, price: Price | undefined): Usage {
  const counts = clamp(used);
  return {
    ...NO_USAGE,
    ...counts,
    calls: 1,
    lastPrompt: counts.input,
    costUsd: price === undefined ? 0 : costOf(used, price),
    priced: price !== undefined,
  };
}

function clamp(used: CallUsage): CallUsage {
  const count = (value: number): number => (Number.isFinite(value) && value > 0 ? Math.floor(value) : 0);
  const input = count(used.input);
  const cached = Math.min(count(used.cached), input);
  return { input, cached, cacheWrite: Math.min(count(used.cacheWrite), input - cached), output: count(used.output) };
}

const SMALLEST_ANSWER: number = 1_024;

/**
 * Makes sure a call fits a money limit before it is made (ENG-130).
 *
 * @param left - US dollars left of the limit
 * @param inputTokens - an estimate that is never low
 * @returns the most output tokens the call may be asked for, at most `maxTokens`
 * @throws ApiError `COST_LIMIT` when not even a small answer fits
 */
export function reserveOutput(
  limitUsd: number,
  left: number,
  inputTokens: number,
  maxTokens: number,
  price: Price,
): number {
  const inputRate = Math.max(price.inputPerMtok, price.cacheWritePerMtok ?? price.inputPerMtok);
  const forOutput = left - (inputTokens * inputRate) / 1e6;
  const affordable =
    price.outputPerMtok > 0 ? Math.floor((forOutput * 1e6) / price.outputPerMtok) : forOutput >= 0 ? maxTokens : -1;
  if (affordable >= maxTokens) return maxTokens;
  if (affordable < SMALLEST_ANSWER || maxTokens < SMALLEST_ANSWER) throw costLimit(limitUsd);
  return affordable;
}

function costLimit(limitUsd: number): Error {
  return apiError("COST_LIMIT", `the turn reached its cost limit ($${limitUsd})`, { limit: String(limitUsd) });
}

/** Tokens a request's text comes to, counted high: three characters a token at most, and a tenth more (ENG-132). */
export function estimateTokens(characters: number): number {
  return Math.ceil((characters / 3) * 1.1) + 64;
}
