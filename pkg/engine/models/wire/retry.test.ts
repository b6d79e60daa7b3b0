// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { ModelError, type ModelErrorKind } from "../chat-model.js";
import { waitBefore } from "./call.js";
import { retryAfterMs } from "./retry-after.js";

const NOW_MS = Date.parse("2026-12-01T10:00:00Z");

describe("retryAfterMs (T-STR-4)", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "2" }, 2000],
    ["zero", { "retry-after": "0" }, 0],
    ["a date 2 s ahead", { "retry-after": "Tue, 01 Dec 2026 10:00:02 GMT" }, 2000],
    ["a date in the past", { "retry-after": "Tue, 01 Dec 2026 09:00:00 GMT" }, undefined],
    ["a word", { "retry-after": "soon" }, undefined],
    ["nothing", { "retry-after": "" }, undefined],
    ["a negative number", { "retry-after": "-1" }, undefined],
    ["an absurd number", { "retry-after": "9999999999" }, 9_999_999_999_000],
    ["milliseconds", { "retry-after-ms": "500", "retry-after": "9" }, 500],
    ["no header", {}, undefined],
  ])("reads %s", (_name, headers, expected) => {
    expect(retryAfterMs(new Headers(headers), NOW_MS)).toBe(expected);
  });
});

describe("waitBefore (MDL-52)", () => {
  const error = (kind: ModelErrorKind, more: { status?: number; retryAfterMs?: number } = {}): ModelError =>
    new ModelError(kind, "x", { provider: "p", model: "m", ...more });

  it.each([
    [0, 375, 500],
    [1, 750, 1000],
    [4, 6000, 8000],
    [9, 6000, 8000],
  ])("waits before attempt %s between %s and %s ms", (n, least, most) => {
    for (let i = 0; i < 20; i++) {
      const wait = waitBefore(error("overloaded"), n) ?? -1;
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThanOrEqual(most);
    }
  });

  it("waits as long as it was asked to, within reason", () => {
    expect(waitBefore(error("rate_limited", { retryAfterMs: 0 }), 0)).toBe(0);
    expect(waitBefore(error("rate_limited", { retryAfterMs: 60_000 }), 0)).toBe(60_000);
    expect(waitBefore(error("rate_limited", { retryAfterMs: 60_001 }), 0)).toBeUndefined();
  });

  it.each<[ModelErrorKind, number | undefined, boolean]>([
    ["api", 408, true],
    ["api", 409, true],
    ["api", 502, true],
    ["api", undefined, true],
    ["api", 302, false],
    ["network", undefined, true],
    ["stalled", undefined, false],
    ["auth", 401, false],
    ["quota", 429, false],
    ["bad_request", 400, false],
    ["context_full", 400, false],
  ])("retries %s with status %s: %s", (kind, status, expected) => {
    expect(waitBefore(error(kind, status === undefined ? {} : { status }), 0) !== undefined).toBe(expected);
  });
});
