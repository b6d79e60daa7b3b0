// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { costOf, DEFAULT_MODELS, PRICES, priceOf } from "./index.js";

const AT = new Date("2026-12-01T12:00:00Z");

describe("priceOf (MDL-76)", () => {
  it("has a price for every default model (MDL-12)", () => {
    for (const model of Object.values(DEFAULT_MODELS).filter((name) => name !== ""))
      expect(priceOf(model, {}, AT), model).toBeDefined();
  });

  it("says where and since when each price holds", () => {
    for (const row of PRICES)
      expect(row).toMatchObject({ from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), source: expect.any(String) });
  });

  it("knows dated names and prefixed ones, but not longer families", () => {
    expect(priceOf("gpt-4o-2024-11-20", {}, AT)).toEqual(priceOf("openai/gpt-4o", {}, AT));
    expect(priceOf("gpt-4o-mini", {}, AT)).toBeUndefined();
    expect(priceOf("unknown", {}, AT)).toBeUndefined();
  });

  it("changes when a row's day has come", () => {
    expect(priceOf("gemini-3.8-flash", {}, AT)?.inputPerMtok).toBe(0.75);
    expect(priceOf("gemini-3.8-flash", {}, new Date("2027-01-01T00:00:00Z"))?.inputPerMtok).toBe(1.5);
  });

  it("lets the user's entry win: exact name, else the longest prefix, field by field", () => {
    const overrides = {
      "claude-opus": { inputPerMtok: 1 },
      "claude-opus-5": { inputPerMtok: 2, outputPerMtok: 3 },
      local: { inputPerMtok: 0 },
    };
    expect(priceOf("claude-opus-5", overrides, AT)).toMatchObject({
      inputPerMtok: 2,
      outputPerMtok: 3,
      cachedInputPerMtok: 0.5,
    });
    expect(priceOf("claude-opus-5-5", overrides, AT)).toMatchObject({ inputPerMtok: 2, outputPerMtok: 3 });
    expect(priceOf("anthropic/claude-opus-4", overrides, AT)).toBeUndefined();
    expect(priceOf("local-1", overrides, AT)).toBeUndefined();
  });
});

describe("costOf (ENG-81)", () => {
  const usage = { input: 1225, cached: 1000, cacheWrite: 200, output: 47 };
  it("prices each kind of token", () => {
    const price = { inputPerMtok: 4, outputPerMtok: 20, cachedInputPerMtok: 0.2, cacheWritePerMtok: 5 };
    expect(costOf(usage, price)).toBeCloseTo((25 * 4 + 1000 * 0.2 + 200 * 5 + 47 * 20) / 1e6, 12);
  });

  it("prices cached and written tokens as input when nothing else is known", () => {
    expect(costOf(usage, { inputPerMtok: 4, outputPerMtok: 20 })).toBeCloseTo((1225 * 4 + 47 * 20) / 1e6, 12);
  });

  it("never goes below zero for fresh tokens", () => {
    expect(
      costOf(
        { input: 1, cached: 5, cacheWrite: 5, output: 0 },
        { inputPerMtok: 1, outputPerMtok: 1, cachedInputPerMtok: 0, cacheWritePerMtok: 0 },
      ),
    ).toBe(0);
  });
});
