// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import type { Part } from "../../history/index.js";
import { answered, requestFor, user } from "../testing/calls.js";
import { finishParts, usageOf } from "./finish.js";

const call = (id: string): Part => ({ type: "toolCall", id, name: "now", args: {} });
const idsOf = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));

describe("finishParts", () => {
  it("gives every call an id that is well-formed and new in the session (T-STR-2)", () => {
    const request = requestFor({ messages: [user("hi"), ...answered([call("call_0")])] });
    const ids = idsOf(
      finishParts({ parts: [call("call_0"), call(""), call("a.b"), call("x"), call("x")], stop: "tool_use" }, request),
    );
    expect(new Set(["call_0", ...ids]).size).toBe(6);
    expect(ids[3]).toBe("x");
    expect(ids.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
  });

  it("marks only a call that ends a cut answer", () => {
    const cut = finishParts({ parts: [call("a"), call("b")], stop: "max_tokens" }, requestFor());
    expect(cut).toMatchObject([{ id: "a" }, { id: "b", invalid: expect.stringContaining("cut off") }]);
    expect(cut[0]).not.toHaveProperty("invalid");
    const followed = finishParts(
      { parts: [call("a"), { type: "text", text: "and" }], stop: "max_tokens" },
      requestFor(),
    );
    expect(followed[0]).not.toHaveProperty("invalid");
  });

  it("puts an empty text in an empty answer", () => {
    expect(finishParts({ parts: [], stop: "end" }, requestFor())).toEqual([{ type: "text", text: "" }]);
  });
});

describe("usageOf (ENG-80, T-STR-7)", () => {
  it.each([
    ["plain", [100, 40, 10, 7], [100, 40, 10, 7]],
    ["negative, missing and fractional", [-1, undefined, null, 1.6], [0, 0, 0, 2]],
    ["more cached than there is", [10, 40, 40, 0], [10, 10, 0, 0]],
    ["texts", ["100", Number.NaN, {}, Number.POSITIVE_INFINITY], [0, 0, 0, 0]],
  ])("counts %s", (_name, [input, cached, write, output], expected) => {
    const usage = usageOf(input, cached, write, output);
    expect([usage.input, usage.cached, usage.cacheWrite, usage.output]).toEqual(expected);
  });
});
