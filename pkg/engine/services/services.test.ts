// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { guardOperations, joinServices } from "./index.js";

describe("joinServices", () => {
  it("joins operations and values", async () => {
    const joined = joinServices({ dir: "/w", one: async () => 1 }, { two: async () => 2 });
    expect([joined.dir, await joined.one(), await joined.two()]).toEqual(["/w", 1, 2]);
  });

  it("refuses two services offering one name", () => {
    expect(() => joinServices({ one: () => 1 }, { one: () => 2 })).toThrow("two services offer one");
  });
});

describe("guardOperations", () => {
  const known = (error: unknown): unknown => new Error(`known: ${(error as Error).message}`);

  it("lets callers see only what it makes of a failure (WS-82)", async () => {
    const guarded = guardOperations(
      {
        fails: async () => Promise.reject(new Error("bug")),
        works: async (n: number) => n + 1,
        plain: () => "x",
        dir: "/w",
      },
      known,
    );
    await expect(guarded.fails()).rejects.toThrow("known: bug");
    expect([await guarded.works(1), guarded.plain(), guarded.dir]).toEqual([2, "x", "/w"]);
  });
});
