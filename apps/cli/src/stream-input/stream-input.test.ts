// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { type InputLine, readLines } from "./read-lines.js";
import { parseMessage } from "./message.js";

describe("readLines", () => {
  async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it.each([1, 2, 3, 7, 1_000])("cuts lines whatever the chunks' size, here %d bytes (CLI-26)", async (size) => {
    const text = "one\n\nzwölf\r\n漢字\nwell over\nlast";
    const lines: InputLine[] = [];
    for await (const line of readLines(chunksOf(Buffer.from(text), size), 8)) lines.push(line);
    expect(lines).toEqual([
      { text: "one" },
      { text: "" },
      { text: "zwölf\r" },
      { text: "漢字" },
      { tooLong: true },
      { text: "last" },
    ]);
  });
});

describe("parseMessage", () => {
  it.each([
    ["yes", "once"],
    ["allow", "once"],
    ["once", "once"],
    ["session", "session"],
    ["always", "always"],
    ["deny", "deny"],
    ["ALWAYS", "deny"],
    [true, "deny"],
    [undefined, "deny"],
  ])("takes the decision %j for %s (CLI-26)", (decision, meant) => {
    const line = JSON.stringify({ type: "approval", id: "approval-1", decision });
    expect(parseMessage(line)).toEqual({ type: "approval", id: "approval-1", decision: meant });
  });

  it("refuses keys that are no texts, and a type that is none", () => {
    expect(parseMessage('{"type":"answer","id":"question-1","keys":[1]}')).toHaveProperty("problem");
    expect(parseMessage('{"text":"x"}')).toEqual({ problem: "unknown type none" });
  });
});
