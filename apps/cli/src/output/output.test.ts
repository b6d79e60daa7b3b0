// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, NO_USAGE, type SessionInfo, type TurnEvent } from "@blitz/api";
import { EN_US, loadMessages } from "@blitz/i18n";
import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../exit-code.js";
import { UsageError } from "../usage-error.js";
import { createJsonPrinter, createStreamJsonPrinter } from "./json-printer.js";
import { type Output, printable, wantsColour } from "./output.js";
import { createTextPrinter } from "./text-printer.js";

function sink(colour = false): Output & { text: () => string } {
  let written = "";
  return {
    isTty: colour,
    colour,
    closed: () => false,
    flush: async () => undefined,
    write: (text) => void (written += text),
    text: () => written,
  };
}
const messages = await loadMessages("en-US", [EN_US]);
const session = { id: "session-1" } as SessionInfo;
const end = {
  exitCode: 0,
  answer: "Done.",
  durationMs: 1234.6,
  usage: { ...NO_USAGE, calls: 2, input: 30, cached: 10, output: 5, costUsd: 0.25 },
};
const events: readonly TurnEvent[] = [
  { author: "blitz", type: "text", text: "thinking", partial: true, repeat: false, thought: true },
  { author: "blitz", type: "text", text: "Lo", partial: true, repeat: false, thought: false },
  { author: "blitz", type: "text", text: "oking.", partial: true, repeat: false, thought: false },
  { author: "blitz", type: "text", text: "Looking.", partial: false, repeat: true, thought: false },
  { author: "blitz", type: "tool_call", id: "a", name: "read_file", args: { path: "a\u001b[31m.txt" }, partial: false },
  { author: "blitz", type: "tool_call", id: "b", name: "read_file", args: { path: "b.txt" }, partial: false },
  { author: "blitz", type: "tool_result", id: "b", name: "read_file", result: { error: "no such file" } },
  { author: "blitz", type: "tool_result", id: "a", name: "read_file", result: { content: "x" } },
  { author: "blitz", type: "notice", text: "slow", error: false },
];

describe("the text printer", () => {
  it("puts the answer on standard output and the rest on standard error, each text once (CLI-20, WS-31)", async () => {
    const [out, err] = [sink(), sink()];
    const printer = createTextPrinter(out, err, messages);
    for (const event of events) printer.event(event);
    await printer.end({ ...end, error: "it broke" });
    expect(out.text()).toBe("Looking.\n");
    expect(err.text()).toMatchInlineSnapshot(`
      "● read_file a.txt
      ● read_file b.txt
        failed: no such file
      ! slow
      blitz: it broke
      30 tokens in (10 cached), 5 out, 2 model calls, 1.2 s, about $0.2500
      "
    `);
  });

  it("writes no escape sequence where colour isn't shown, and only its own where it is (CLI-84, T-TUI-3)", async () => {
    const err = sink(true);
    const printer = createTextPrinter(sink(true), err, messages);
    for (const event of events) printer.event(event);
    expect(err.text()).toContain("\u001b[36m● read_file a.txt\u001b[0m");
    expect(err.text()).not.toContain("\u001b[31m.txt");
  });
});

describe("the JSON printers", () => {
  it("json writes one result object, calls paired with results by ID (CLI-22, CLI-23)", async () => {
    const out = sink();
    const printer = createJsonPrinter(out);
    printer.accepted(session, "p/m", "blitz");
    for (const event of events) printer.event(event);
    await printer.end(end);
    expect(JSON.parse(out.text())).toEqual({
      type: "result",
      session_id: "session-1",
      result: "Done.",
      is_error: false,
      exit_code: 0,
      duration_ms: 1235,
      usage: { input_tokens: 30, cached_input_tokens: 10, output_tokens: 5, model_calls: 2 },
      cost_usd: 0.25,
      tool_calls: [
        { name: "read_file", args: { path: "a\u001b[31m.txt" }, result: { content: "x" } },
        { name: "read_file", args: { path: "b.txt" }, result: { error: "no such file" } },
      ],
    });
  });

  it("stream-json writes a session line, events without thoughts, and the result last, also on failure (CLI-21)", async () => {
    const out = sink();
    const printer = createStreamJsonPrinter(out);
    printer.accepted(session, "p/m", "blitz");
    for (const event of events) printer.event(event);
    await printer.end({ ...end, exitCode: 1, error: "it broke", usage: { ...end.usage, priced: false } });
    const lines = out
      .text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map((line) => line["type"])).toEqual([
      "session",
      "text",
      "text",
      "text",
      "tool_call",
      "tool_call",
      "tool_result",
      "tool_result",
      "notice",
      "result",
    ]);
    expect(lines[0]).toEqual({ type: "session", session_id: "session-1", model: "p/m", agent: "blitz" });
    expect(lines.at(-1)).toMatchObject({ is_error: true, error: "it broke", exit_code: 1 });
    expect(lines.at(-1)).not.toHaveProperty("cost_usd");
  });

  it("escapes what a terminal would obey (T-TUI-3)", async () => {
    const out = sink();
    await createJsonPrinter(out).end({ ...end, answer: "\u001b[2J\u009b2J\u007f \ud800" });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is checked
    expect(out.text().trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect((JSON.parse(out.text()) as { result: string }).result).toBe("\u001b[2J\u009b2J\u007f \ufffd");
  });
});

describe("printable", () => {
  it.each([
    ["a window title", "a\u001b]0;evil\u0007b", "ab"],
    ["the clipboard", "a\u001b]52;c;ZXZpbA==\u0007b", "ab"],
    ["a cleared screen", "a\u001b[2Jb", "ab"],
    ["one-byte C1", "a\u009b2Jb", "ab"],
    ["a lone carriage return", "good\rbad", "goodbad"],
    ["CRLF", "a\r\nb", "a\nb"],
    ["an escape split between chunks", "a\u001b", "a"],
    ["tabs, newlines and other languages", "\t日本語\n", "\t日本語\n"],
  ])("keeps the text and drops %s (T-TUI-3)", (_name, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe("wantsColour", () => {
  it.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ NO_COLOR: "" }, true],
    [{ TERM: "dumb" }, false],
    [{ FORCE_COLOR: "0" }, false],
  ])("%j: %s (CLI-84)", (env, wanted) => {
    expect(wantsColour(env)).toBe(wanted);
  });
});

describe("exitCodeOf", () => {
  it.each([
    ["a limit, also when interrupted", apiError("MAX_TURNS", "x", { limit: "1" }), true, EXIT.limit],
    ["an interruption", new Error("x"), true, EXIT.interrupted],
    ["a usage error", new UsageError("x"), false, EXIT.usage],
    ["a session that isn't there", apiError("RESUME_FAILED", "x", { ref: "y" }), false, EXIT.usage],
    ["a busy workspace", apiError("WORKSPACE_BUSY", "x", { workspace: "/w" }), false, EXIT.usage],
    ["a blocked prompt", apiError("PROMPT_BLOCKED", "x", { reason: "y" }), false, EXIT.blocked],
    ["a failed model", apiError("MODEL_FAILED", "x", { model: "m" }), false, EXIT.failed],
    ["anything else", "x", false, EXIT.failed],
  ])("%s", (_name, error, interrupted, code) => {
    expect(exitCodeOf(error, interrupted)).toBe(code);
  });
});
