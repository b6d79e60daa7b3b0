// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import {
  type Event,
  formatEvent,
  type LogLine,
  type Part,
  parseLine,
  parseLog,
  UNKNOWN_OUTCOME,
  view,
} from "./index.js";

const event = (role: Event["role"], parts: readonly Part[], more: Partial<Event> = {}): Event => ({
  v: 1,
  id: "00000000-0000-4000-8000-000000000000",
  turn: "e-1",
  time: "2026-01-01T00:00:00.000Z",
  author: role === "user" ? "user" : "blitz",
  role,
  parts,
  ...more,
});
const text = (value: string): Part => ({ type: "text", text: value });
const call = (id: string): Part => ({ type: "toolCall", id, name: "read_file", args: { path: "a" } });
const result = (id: string): Part => ({ type: "toolResult", id, name: "read_file", result: { content: id } });
const lines = (...events: readonly Event[]): LogLine[] => events.map((one) => ({ event: one }));

describe("parseLine", () => {
  it("reads back what formatEvent wrote", () => {
    const written = event("model", [text("hi"), call("c1")], { stop: "tool_use" });
    expect(parseLog(formatEvent(written))).toEqual([{ event: written }]);
  });

  it("makes lone surrogates well-formed on the way to disk (ENG-105)", () => {
    expect(formatEvent(event("user", [text("a\ud800b")]))).toContain("a\ufffdb");
  });

  it.each([
    ["cut JSON", '{"v":1,"id":"x","role":"mod', "not JSON"],
    ["an array", "[]", "not an object"],
    ["a newer version", '{"v":2,"role":"user","parts":[]}', "unknown version 2"],
    ["an unknown role", '{"v":1,"role":"system","parts":[]}', 'unknown role "system"'],
    ["parts that are damaged", '{"v":1,"role":"user","parts":[{"type":"text"}]}', "parts missing or damaged"],
    ["parts of an unknown type", '{"v":1,"role":"user","parts":[{"type":"hologram"}]}', "parts missing or damaged"],
  ])("keeps %s as it is, with the problem (ENG-100)", (_name, line, problem) => {
    expect(parseLine(line)).toEqual({ raw: line, problem });
  });

  it.each([
    ["bare", '{"v":1,"id":"x","role":"mod'],
    ["followed by an empty line", '{"v":1,"id":"x","role":"mod\n\n'],
    ["followed by an empty CRLF line", '{"v":1,"id":"x","role":"mod\r\n'],
  ])("counts a torn line once, %s (T-SES-1)", (_name, tail) => {
    const whole = formatEvent(event("user", [text("one")]));
    const log = parseLog(whole + tail);
    expect(log).toHaveLength(2);
    expect(view(log)).toEqual([{ role: "user", parts: [text("one")] }]);
  });
});

describe("view", () => {
  it("pairs results with their calls in call order", () => {
    const log = lines(
      event("user", [text("go")]),
      event("model", [call("1"), call("2")]),
      event("tool", [result("2"), result("1")]),
    );
    expect(view(log)).toEqual([
      { role: "user", parts: [text("go")] },
      { role: "model", parts: [call("1"), call("2")] },
      { role: "user", parts: [result("1"), result("2")] },
    ]);
  });

  const unknown = (id: string): Part => ({
    type: "toolResult",
    id,
    name: "read_file",
    result: { error: UNKNOWN_OUTCOME },
    isError: true,
  });
  it.each([
    ["at the end of the log", [] as Event[], [] as Event[]],
    ["before another prompt", [], [event("user", [text("again")])]],
    ["with one of two results there", [event("tool", [result("1")])], []],
  ])("answers calls that were cut off, %s (ENG-102)", (_name, between, after) => {
    const log = lines(event("user", [text("go")]), event("model", [call("1"), call("2")]), ...between, ...after);
    expect(view(log)[2]).toEqual({
      role: "user",
      parts: [between.length > 0 ? result("1") : unknown("1"), unknown("2")],
    });
    expect(view(log)).toHaveLength(3 + after.length);
  });

  it("leaves out results whose call isn't there", () => {
    expect(
      view(lines(event("user", [text("go")]), event("tool", [result("x")]), event("model", [text("ok")]))),
    ).toEqual([
      { role: "user", parts: [text("go")] },
      { role: "model", parts: [text("ok")] },
    ]);
  });

  it("puts a summary in the place of what it covers, damaged lines counted (ENG-103)", () => {
    const log: LogLine[] = [
      { event: event("user", [text("one")]) },
      { raw: "{torn", problem: "not JSON" },
      { event: event("model", [text("first")]) },
      { event: event("user", [text("two")]) },
      {
        event: event("model", [], {
          compaction: { from: 0, to: 3, summary: "S", kept: [{ kind: "goal", text: "G" }] },
        }),
      },
    ];
    expect(view(log)).toEqual([
      { role: "user", parts: [text("[goal]\nG\n\n[Summary of earlier conversation]\nS")] },
      { role: "user", parts: [text("two")] },
    ]);
  });

  it("lets a later compaction cover an earlier one", () => {
    const log = lines(
      event("user", [text("one")]),
      event("model", [], { compaction: { from: 0, to: 1, summary: "S1" } }),
      event("user", [text("two")]),
      event("model", [], { compaction: { from: 0, to: 3, summary: "S2" } }),
    );
    expect(view(log)).toEqual([{ role: "user", parts: [text("[Summary of earlier conversation]\nS2")] }]);
  });
});
