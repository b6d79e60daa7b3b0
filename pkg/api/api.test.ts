// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import {
  ApiError,
  addUsage,
  apiError,
  isLimit,
  isReason,
  NO_USAGE,
  nearest,
  parseAgencyLevel,
  parseEffort,
  parsePermissionMode,
  REASONS,
} from "./index.js";

describe("REASONS", () => {
  it.each(Object.entries(REASONS))("%s has a wire code and metadata keys without repeats (CTR-30)", (_reason, row) => {
    const optional = "optional" in row ? row.optional : [];
    expect(row.code).toMatch(/^[a-z_]+$/);
    expect(new Set([...row.keys, ...optional]).size).toBe(row.keys.length + optional.length);
  });
});

describe("isReason", () => {
  const error = apiError("SESSION_BUSY", "busy", { id: "s" }, new Error("why"));

  it.each([
    ["the reason asked for", error, ["SESSION_BUSY"], true],
    ["one of several", error, ["INTERNAL", "SESSION_BUSY"], true],
    ["any reason when none is named", error, [], true],
    ["another reason", error, ["INTERNAL"], false],
    ["an error of another realm by its field", { reason: "SESSION_BUSY", metadata: {} }, ["SESSION_BUSY"], true],
    ["a plain error", new Error("SESSION_BUSY"), ["SESSION_BUSY"], false],
    ["nothing", undefined, [], false],
  ] as const)("knows %s", (_name, value, reasons, known) => {
    expect(isReason(value, ...reasons)).toBe(known);
  });

  it("keeps message, metadata and cause", () => {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: "busy", metadata: { id: "s" }, cause: new Error("why") });
  });

  it.each([
    ["MAX_TURNS", true],
    ["COST_LIMIT", true],
    ["TIME_LIMIT", true],
    ["INTERNAL", false],
  ] as const)("%s is a limit: %s (WS-29)", (reason, limit) => {
    expect(isLimit(new ApiError(reason, "x", {}))).toBe(limit);
  });
});

describe("addUsage", () => {
  const some = { ...NO_USAGE, calls: 1, input: 10, output: 5, lastPrompt: 10, costUsd: 0.5 };

  it("sums, keeps the newer prompt size, and is priced only if both are", () => {
    const sum = addUsage(some, { ...some, input: 20, lastPrompt: 20, priced: false });
    expect(sum).toMatchObject({ calls: 2, input: 30, output: 10, lastPrompt: 20, costUsd: 1, priced: false });
  });

  it("keeps the last prompt's size when the other has none", () => {
    expect(addUsage(some, NO_USAGE).lastPrompt).toBe(10);
  });
});

describe("parsePermissionMode", () => {
  it.each([
    ["", "default"],
    ["Ask", "default"],
    ["acceptEdits", "accept-edits"],
    ["ACCEPT_EDITS", "accept-edits"],
    ["edits", "accept-edits"],
    ["dontAsk", "dont-ask"],
    ["bypassPermissions", "bypass"],
    ["plan", "plan"],
  ])("reads %j as %s (APR-53)", (text, mode) => {
    expect(parsePermissionMode(text)).toBe(mode);
  });

  it.each(["bypas", "constructor", "__proto__"])("refuses %s", (text) => {
    expect(() => parsePermissionMode(text)).toThrow(
      expect.objectContaining({ reason: "UNKNOWN_MODE", metadata: { mode: text } }),
    );
  });
});

describe("parseAgencyLevel", () => {
  it("reads a level in any case, and refuses the rest (WS-43)", () => {
    expect([" Low", "EXTREME"].map(parseAgencyLevel)).toEqual(["low", "extreme"]);
    expect(() => parseAgencyLevel("")).toThrow(
      expect.objectContaining({ reason: "INVALID_AGENCY", metadata: { value: "" } }),
    );
  });
});

describe("parseEffort", () => {
  it.each([
    ["", "auto"],
    ["Auto", "auto"],
    ["minimal", "minimal"],
    ["HIGH", "high"],
    ["xhigh", "max"],
  ])("reads %j as %s (MDL-73, 74)", (text, effort) => {
    expect(parseEffort(text)).toBe(effort);
  });

  it("refuses what it doesn't know", () => {
    expect(() => parseEffort("huge")).toThrow(
      expect.objectContaining({ reason: "INVALID_SETTING", metadata: { key: "effort", value: "huge" } }),
    );
  });
});

describe("nearest", () => {
  it.each([
    ["transposed letters", "blizt", "blitz"],
    ["case", "BLITZ", "blitz"],
    ["a prefix", "pla", "planner"],
    ["nothing near", "zzz", undefined],
  ])("finds %s", (_name, input, found) => {
    expect(nearest(input, ["blitz", "planner"])).toBe(found);
  });
});
