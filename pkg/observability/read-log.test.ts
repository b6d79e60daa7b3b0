// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logDays, type LogPage, type LogQuery, readLog } from "./index.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-read-log-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DAY = "2026-01-05";
const FILE = "blitz-2026-01-05.jsonl";
const line = (msg: string, rest: object = {}, level = "INFO"): string =>
  JSON.stringify({ time: "2026-01-05T12:00:00.000Z", level, msg, ...rest });

function save(lines: readonly string[], name = FILE): void {
  writeFileSync(path.join(dir, name), lines.map((text) => `${text}\n`).join(""));
}

function read(changes: Partial<LogQuery> = {}): Promise<LogPage> {
  return readLog(dir, { day: DAY, minLevel: "", text: "", limit: 0, ...changes });
}

async function messages(changes: Partial<LogQuery> = {}): Promise<readonly string[]> {
  return (await read(changes)).entries.map(({ message }) => message);
}

describe("logDays", () => {
  it("lists days newest first and ignores other files (LOG-06)", async () => {
    for (const name of [
      FILE,
      "blitz-2025-12-31.jsonl",
      "blitz-2026-02-30.jsonl",
      "audit-2026-01-06.jsonl",
      "blitz-x.jsonl",
    ])
      save([], name);
    expect(await logDays(dir)).toEqual(["2026-01-05", "2025-12-31"]);
  });

  it("has none where there is no directory, and fails where there is something else", async () => {
    expect(await logDays(path.join(dir, "none"))).toEqual([]);
    save([]);
    await expect(logDays(path.join(dir, FILE))).rejects.toThrow("ENOTDIR");
  });
});

describe("readLog", () => {
  it("gives records newest first, attributes in order, strings bare and others as JSON (LOG-06)", async () => {
    save([line("old"), line("new", { s: "a b", n: 1.5, list: ["x", null], o: { k: "v" }, yes: true }, "ERROR")]);
    expect(await read()).toEqual({
      day: DAY,
      path: path.join(dir, FILE),
      matched: 2,
      entries: [
        {
          time: new Date("2026-01-05T12:00:00Z"),
          level: "ERROR",
          message: "new",
          attributes: [
            { key: "s", value: "a b" },
            { key: "n", value: "1.5" },
            { key: "list", value: '["x",null]' },
            { key: "o", value: '{"k":"v"}' },
            { key: "yes", value: "true" },
          ],
        },
        { time: new Date("2026-01-05T12:00:00Z"), level: "INFO", message: "old", attributes: [] },
      ],
    });
  });

  it("reads the newest day when none is named (LOG-06)", async () => {
    expect(await read({ day: "" })).toEqual({ day: "", path: "", entries: [], matched: 0 });
    save([line("old")], "blitz-2025-12-31.jsonl");
    save([line("new")]);
    expect(await read({ day: "" })).toMatchObject({ day: DAY, matched: 1, entries: [{ message: "new" }] });
  });

  it("finds nothing on a day without a file", async () => {
    expect(await read()).toEqual({ day: DAY, path: path.join(dir, FILE), entries: [], matched: 0 });
  });

  it.each([
    ["", ["e", "w", "i", "d"]],
    ["debug", ["e", "w", "i", "d"]],
    ["info", ["e", "w", "i"]],
    ["warning", ["e", "w"]],
    ["error", ["e"]],
  ])("keeps records of at least the level %j", async (minLevel, expected) => {
    save([line("d", {}, "DEBUG"), line("i"), line("w", {}, "WARN"), line("e", {}, "ERROR")]);
    expect(await messages({ minLevel })).toEqual(expected);
  });

  it.each([
    ["every word, in any field and any case", "SERVER  docs", ["a"]],
    ["a word of a nested value", "inner", ["b"]],
    ["a level", "warn", ["b"]],
    ["a name of an attribute", "command", ["a"]],
    ["words that are nowhere", "docs inner", []],
  ])("finds by %s (LOG-06)", async (_name, text, expected) => {
    save([line("a", { server: "Docs", command: 1 }), line("b", { o: { deep: "Inner" } }, "WARN")]);
    expect(await messages({ text })).toEqual(expected);
  });

  it.each([
    [0, 500, "599"],
    [3, 3, "599"],
    [300, 300, "599"],
    [600, 600, "599"],
    [1_000, 600, "599"],
  ])("returns the newest of a limit of %i and counts all (LOG-06)", async (limit, length, newest) => {
    save(Array.from({ length: 600 }, (_, n) => line(String(n))));
    const { entries, matched } = await read({ limit });
    expect([entries.length, entries[0]?.message, entries.at(-1)?.message, matched]).toEqual([
      length,
      newest,
      String(600 - length),
      600,
    ]);
  });

  it("skips torn, foreign and over-long lines, wherever chunks of the file end (LOG-06)", async () => {
    const long = line("long", { text: "x".repeat(4 * 1024 * 1024) });
    const big = line("big", { text: "ü".repeat(100_000) });
    const foreign = ["", "words", "null", "[1]", "{}", '{"time":"?","level":"INFO","msg":"m"}', line("m", {}, "TRACE")];
    save([line("first"), '{"time":"2026', ...foreign, long, big, line("m", { msg: 1 })]);
    writeFileSync(path.join(dir, FILE), line("being written"), { flag: "a" });
    expect(await messages()).toEqual(["big", "first"]);
  });

  it.each(["../../etc", "2026-1-5", "2026-02-30", "2026-01-05x", "today"])(
    "refuses the day %s (LOG-06)",
    async (day) => {
      await expect(read({ day })).rejects.toThrow(new RangeError(`"${day}" isn't a day such as 2026-01-31`));
    },
  );

  it.each(["loud", "off"])("refuses the level %s (LOG-06)", async (minLevel) => {
    await expect(read({ minLevel })).rejects.toThrow(RangeError);
    await expect(read({ minLevel })).rejects.toThrow(`"${minLevel}"`);
  });

  it("fails when the file can't be read", async () => {
    mkdirSync(path.join(dir, FILE));
    await expect(read()).rejects.toThrow("EISDIR");
  });
});
