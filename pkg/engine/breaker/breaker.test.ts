// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { type Breaker, createBreaker } from "./index.js";

function onFakeClock(threshold: number): { readonly breaker: Breaker; readonly pass: (seconds: number) => void } {
  let now = 1_000;
  const breaker = createBreaker({ threshold, now: () => now });
  return {
    breaker,
    pass: (seconds) => {
      now += seconds * 1000;
    },
  };
}

describe("createBreaker (MDL-65)", () => {
  it("opens after so many failures in a row", () => {
    const { breaker } = onFakeClock(2);
    breaker.failed();
    expect(breaker.allow()).toBe(true);
    breaker.succeeded();
    breaker.failed();
    expect(breaker.allow()).toBe(true);
    breaker.failed();
    expect(breaker.allow()).toBe(false);
  });

  it("lets one through after the cooldown, and the others only when that one succeeded", () => {
    const { breaker, pass } = onFakeClock(1);
    breaker.failed();
    pass(14.9);
    expect(breaker.allow()).toBe(false);
    pass(0.1);
    expect([breaker.allow(), breaker.allow()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.allow(), breaker.allow()]).toEqual([true, true]);
  });

  it("doubles the cooldown with each failed trial, up to 300 s, and starts over after a success", () => {
    const { breaker, pass } = onFakeClock(1);
    breaker.failed();
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      pass(seconds - 1);
      expect(breaker.allow()).toBe(false);
      pass(1);
      expect(breaker.allow()).toBe(true);
      breaker.failed();
    }
    pass(300);
    breaker.allow();
    breaker.succeeded();
    breaker.failed();
    pass(15);
    expect(breaker.allow()).toBe(true);
  });

  it("frees the trial of a cancelled attempt and counts nothing", () => {
    const { breaker, pass } = onFakeClock(1);
    breaker.failed();
    pass(15);
    expect(breaker.allow()).toBe(true);
    breaker.abandon();
    expect(breaker.allow()).toBe(true);
    breaker.succeeded();
    breaker.abandon();
    expect(breaker.allow()).toBe(true);
  });
});
