// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { costOf, estimateTokens, reserveOutput, usageOf } from "./index.js";

const price = { inputPerMtok: 5, outputPerMtok: 25, cachedInputPerMtok: 0.5, cacheWritePerMtok: 6.25 };

describe("costOf", () => {
  it.each([
    ["plain input and output", { input: 1_000_000, cached: 0, cacheWrite: 0, output: 100_000 }, price, 7.5],
    [
      "cached and written input at their own rates",
      { input: 1_225, cached: 1_000, cacheWrite: 200, output: 47 },
      price,
      (25 * 5 + 500 + 1_250 + 1_175) / 1e6,
    ],
    [
      "unset rates at the input rate",
      { input: 100, cached: 50, cacheWrite: 50, output: 0 },
      { inputPerMtok: 10, outputPerMtok: 1 },
      0.001,
    ],
    ["more cached than input as all cached", { input: 10, cached: 50, cacheWrite: 50, output: 0 }, price, 5 / 1e6],
    ["negative and odd counts as nothing", { input: -5, cached: Number.NaN, cacheWrite: -1, output: 0.5 }, price, 0],
  ])("prices %s (ENG-81, T-STR-7)", (_name, used, rates, dollars) => {
    expect(costOf(used, rates)).toBeCloseTo(dollars, 12);
  });

  it("marks an unpriced call (ENG-81)", () => {
    expect(usageOf({ input: 10, cached: 0, cacheWrite: 0, output: 1 }, undefined)).toMatchObject({
      calls: 1,
      input: 10,
      lastPrompt: 10,
      costUsd: 0,
      priced: false,
    });
  });
});

describe("reserveOutput", () => {
  it.each([
    ["asks for all that fits", 10, 8_192, 8_192],
    ["cuts the answer to what is left", 0.105, 8_192, 3_999],
  ])("%s (ENG-130)", (_name, left, maxTokens, granted) => {
    expect(reserveOutput(1, left, 800, maxTokens, { inputPerMtok: 6.25, outputPerMtok: 25 })).toBe(granted);
  });

  it.each([
    ["the input alone costs more", 0.001],
    ["a small answer doesn't fit", 0.01],
    ["nothing is left", 0],
    ["more than the limit is spent", -1],
  ])("refuses the call when %s (ENG-130)", (_name, left) => {
    let problem: unknown;
    try {
      reserveOutput(0.5, left, 800, 8_192, { inputPerMtok: 6.25, outputPerMtok: 25 });
    } catch (error) {
      problem = error;
    }
    expect(isReason(problem, "COST_LIMIT") && problem.message).toBe("the turn reached its cost limit ($0.5)");
  });

  it("never estimates below a token for three characters (ENG-132)", () => {
    expect(estimateTokens(3_000)).toBeGreaterThanOrEqual(1_000);
  });
});
