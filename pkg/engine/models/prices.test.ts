// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { DEFAULT_MODELS, PRICES, priceOf } from "./index.js";

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
