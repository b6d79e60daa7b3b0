// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRedactor } from "@blitz/redact";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog, type Log, type LogOptions, parseLevel, readLog } from "./index.js";

let root: string;
let dir: string;
let warnings: string[];
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "blitz-log-"));
  dir = path.join(root, "logs");
  warnings = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Noon in this machine's zone, so the local day is the same everywhere. */
const NOON = new Date(2026, 0, 5, 12, 0, 0);
const TODAY = "blitz-2026-01-05.jsonl";

function openLog(changes: Partial<LogOptions> = {}): Log {
  return createLog({
    dir,
    level: "info",
    retainDays: 14,
    redact: (text) => text,
    now: () => NOON,
    warn: (text) => void warnings.push(text),
    ...changes,
  });
}

type Line = Readonly<Record<string, unknown>>;

const textOf = (name = TODAY): string => readFileSync(path.join(dir, name), "utf8");
const linesOf = (name = TODAY): readonly Line[] =>
  textOf(name)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const messagesOf = (name = TODAY): readonly unknown[] => linesOf(name).map(({ msg }) => msg);

/** The one record of these attributes. */
async function logged(attributes: Line, changes: Partial<LogOptions> = {}): Promise<Line> {
  const log = openLog(changes);
  log.info("m", attributes);
  await log.close();
  const { time: _time, level: _level, msg: _msg, ...rest } = linesOf()[0] ?? {};
  return rest;
}

describe("parseLevel", () => {
  it.each([
    ["", "info"],
    ["debug", "debug"],
    ["info", "info"],
    ["warn", "warn"],
    ["warning", "warn"],
    ["Error", "error"],
    ["off", "off"],
    ["none", "off"],
    ["loud", undefined],
  ])("takes %j for %s (LOG-01)", (text, level) => {
    expect(parseLevel(text)).toBe(level);
  });
});

describe("createLog", () => {
  it("writes a line a record: time, level, message, attributes in order (LOG-03)", async () => {
    const log = openLog({ level: "debug" });
    log.debug("one");
    log.info("two", { b: 1, a: "x", list: [true, null], nothing: undefined });
    log.warn("three");
    log.error("four");
    await log.close();
    const time = JSON.stringify(NOON.toISOString());
    expect(textOf()).toBe(
      [
        `{"time":${time},"level":"DEBUG","msg":"one"}`,
        `{"time":${time},"level":"INFO","msg":"two","b":1,"a":"x","list":[true,null]}`,
        `{"time":${time},"level":"WARN","msg":"three"}`,
        `{"time":${time},"level":"ERROR","msg":"four"}\n`,
      ].join("\n"),
    );
  });

  it("keeps the directory 0700, also one that was open to others, and files 0600 (LOG-01)", async () => {
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    const before = process.umask(0);
    const log = openLog();
    log.info("m");
    await log.close();
    process.umask(before);
    expect([statSync(dir).mode & 0o777, statSync(path.join(dir, TODAY)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it("leaves out records below its level, without looking at them (LOG-01)", async () => {
    let looked = 0;
    const log = openLog({ level: "warning", redact: (text) => (looked++, text) });
    log.info("below", { a: "text" });
    expect(looked).toBe(0);
    log.warn("at");
    log.error("above");
    await log.close();
    expect(messagesOf()).toEqual(["at", "above"]);
  });

  it.each(["off", "none"])("touches nothing when the level is %s (LOG-04)", async (level) => {
    const log = openLog({ level });
    log.error("m");
    await log.close();
    expect([existsSync(dir), warnings]).toEqual([false, []]);
  });

  it("is off with one warning that names the setting when the level is unknown (LOG-04)", async () => {
    const log = openLog({ level: "loud" });
    log.error("m");
    await log.close();
    expect(existsSync(dir)).toBe(false);
    expect(warnings).toEqual([`log.level: "loud" is none of debug, info, warn, error, off; the diagnostic log is off`]);
  });

  it.each([
    ["its directory can't be made", () => writeFileSync(dir, "a file")],
    ["its file is a directory", () => mkdirSync(path.join(dir, TODAY), { recursive: true })],
  ])("is off with one warning when %s (LOG-04)", async (_name, block) => {
    block();
    const log = openLog();
    for (let round = 0; round < 3; round++) {
      log.error("m");
      await log.flush();
    }
    await log.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`log.dir: can't write to ${dir}`);
  });

  it("gives a log with attributes of its own to each part, which share the file (LOG-09)", async () => {
    const log = openLog();
    const one = log.with({ workspace: "/one", part: "mcp" });
    const inner = one.with({ part: "mcp/x" });
    log.info("plain");
    one.info("one", { n: 1 });
    inner.info("inner", { workspace: "/other" });
    await log.close();
    expect(linesOf().map(({ time: _time, level: _level, ...rest }) => JSON.stringify(rest))).toEqual([
      `{"msg":"plain"}`,
      `{"msg":"one","workspace":"/one","part":"mcp","n":1}`,
      `{"msg":"inner","part":"mcp/x","workspace":"/other"}`,
    ]);
  });

  it("ignores what comes after closing, of every part, and may be closed again (LOG-07)", async () => {
    const log = openLog();
    const part = log.with({ a: 1 });
    log.info("before");
    await part.close();
    log.info("after");
    part.info("after");
    await log.close();
    expect(messagesOf()).toEqual(["before"]);
  });

  it("starts a file at each local day (LOG-01)", async () => {
    let now = new Date(2026, 0, 5, 23, 59, 59, 999);
    const log = openLog({ now: () => now });
    log.info("old 1");
    log.info("old 2");
    now = new Date(2026, 0, 6, 0, 0, 0);
    log.info("new 1");
    await log.flush();
    log.info("new 2");
    await log.close();
    expect([messagesOf(), messagesOf("blitz-2026-01-06.jsonl")]).toEqual([
      ["old 1", "old 2"],
      ["new 1", "new 2"],
    ]);
  });

  it("deletes its files older than the days kept, and nothing else, on each new day (LOG-01)", async () => {
    mkdirSync(dir);
    const kept = [
      "blitz-2026-01-02.jsonl",
      "blitz-2025-13-01.jsonl",
      "blitz-2025-01-01.jsonl.gz",
      "audit-2025-01-01.jsonl",
    ];
    for (const name of [...kept, "blitz-2026-01-01.jsonl", "blitz-2024-12-31.jsonl"])
      writeFileSync(path.join(dir, name), "");
    mkdirSync(path.join(dir, "blitz-2025-05-05.jsonl")); // can't be deleted: no reason to stop
    let now = NOON;
    const log = openLog({ retainDays: 3, now: () => now });
    log.info("m");
    await log.flush();
    const left = [...kept, "blitz-2025-05-05.jsonl", TODAY];
    expect(readdirSync(dir).toSorted()).toEqual(left.toSorted());
    now = new Date(2026, 0, 6, 12);
    log.info("m");
    await log.close();
    const next = [...left.filter((name) => name !== "blitz-2026-01-02.jsonl"), "blitz-2026-01-06.jsonl"];
    expect(readdirSync(dir).toSorted()).toEqual(next.toSorted());
  });

  it("keeps all files when the days kept are 0 (LOG-01)", async () => {
    mkdirSync(dir);
    writeFileSync(path.join(dir, "blitz-1999-01-01.jsonl"), "");
    const log = openLog({ retainDays: 0 });
    log.info("m");
    await log.close();
    expect(readdirSync(dir)).toContain("blitz-1999-01-01.jsonl");
  });
});

describe("a record", () => {
  it("has secrets masked in message, attributes, at any depth, and errors (LOG-03)", async () => {
    const redactor = createRedactor(["hunter2hunter2"]);
    const log = openLog({ redact: redactor.text });
    const url = new URL("https://host/?q=hunter2hunter2");
    const error = new Error("outer hunter2hunter2", { cause: new TypeError("inner hunter2hunter2") });
    log.info("m hunter2hunter2", { a: [{ b: "x hunter2hunter2" }], url, error, api_key: "not a known value" });
    await log.close();
    expect(textOf()).not.toContain("hunter2");
    expect(linesOf()[0]).toMatchObject({
      msg: "m [REDACTED]",
      a: [{ b: "x [REDACTED]" }],
      url: "https://host/?q=[REDACTED]",
      error: { name: "Error", message: "outer [REDACTED]", cause: { name: "TypeError", message: "inner [REDACTED]" } },
      api_key: "[REDACTED]",
    });
  });

  it("has no stack of an error, but where debug is on (LOG-03)", async () => {
    const error = new RangeError("too far", { cause: "a word" });
    expect(await logged({ error })).toEqual({ error: { name: "RangeError", message: "too far", cause: "a word" } });
    rmSync(dir, { recursive: true });
    expect(await logged({ error }, { level: "debug" })).toMatchObject({
      error: { stack: expect.stringContaining("log.test") },
    });
  });

  it("ends a chain of causes that goes in a circle", async () => {
    const error = new Error("a");
    error.cause = error;
    expect(JSON.stringify(await logged({ error }))).toContain(`"cause":"[…]"`);
  });

  it("says so in place of a value that can't be encoded (03 §5)", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const trap = {
      get inner(): never {
        throw new RangeError("no");
      },
    };
    const attributes = Object.defineProperty({ circle, big: 10n, trap, kept: 1 }, "direct", {
      enumerable: true,
      get: () => {
        throw new SyntaxError("no");
      },
    });
    expect(await logged(attributes)).toEqual({
      circle: "[can't be encoded: TypeError]",
      big: "[can't be encoded: TypeError]",
      trap: "[can't be encoded: RangeError]",
      kept: 1,
      direct: "[can't be encoded: SyntaxError]",
    });
  });

  it("loses a field that can't be masked, never shows it (RED-08)", async () => {
    const redact = (text: string): string => {
      if (text.includes("bad")) throw new Error("pattern");
      return text;
    };
    expect(await logged({ a: "bad one", b: "good" }, { redact })).toEqual({ a: "[REDACTION FAILED]", b: "good" });
  });

  it("keeps its own time, level and message whatever attributes are called", async () => {
    const log = openLog();
    log.info("m", { msg: "x", level: 3, time: null });
    await log.close();
    expect(linesOf()).toEqual([
      {
        time: NOON.toISOString(),
        level: "INFO",
        msg: "m",
        attribute_msg: "x",
        attribute_level: 3,
        attribute_time: null,
      },
    ]);
  });

  it("is one JSON object of at most 64 KiB, long values cut and short ones kept (03 §7)", async () => {
    const log = openLog();
    log.info("ü".repeat(100_000), { long: '"'.repeat(300_000), list: new Array(50_000).fill("word"), short: 1 });
    log.info("fits", {
      exactly: "x".repeat(65_536 - `{"time":"","level":"INFO","msg":"fits","exactly":""}`.length - 24),
    });
    await log.close();
    const [cut = "", fits = ""] = textOf().split("\n");
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(65_536);
    expect(JSON.parse(cut)).toMatchObject({
      msg: expect.stringMatching(/^ü+… \(100000 characters\)$/),
      long: expect.stringMatching(/^"+… \(300000 characters\)$/),
      list: expect.stringMatching(/^\["word",.*… \(350001 characters\)$/),
      short: 1,
    });
    expect(fits).toHaveLength(65_536);
    expect(fits).not.toContain("characters");
  });

  it("is masked before it is cut (RED-06)", async () => {
    const secret = `sk-ant-${"a".repeat(40)}`;
    const redactor = createRedactor();
    const { long } = await logged({ long: `${`${secret} `.repeat(3_000)}` }, { redact: redactor.text });
    expect(long).not.toContain("sk-ant");
  });
});

describe("the writer", () => {
  it("loses none of 20,000 lines of many parts that are flushed in between (LOG-02)", async () => {
    const log = openLog();
    const parts = Array.from({ length: 10 }, (_, part) => log.with({ part }));
    for (let n = 0; n < 20_000; n++) {
      parts[n % parts.length]?.info("m", { n });
      if (n % 1_000 === 999) await log.flush();
    }
    await log.close();
    expect(linesOf().map(({ n }) => n)).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
  });

  it("keeps the lines of two logs of one directory whole", async () => {
    const logs = [openLog(), openLog()];
    for (let n = 0; n < 200; n++) {
      for (const log of logs) log.info("m", { text: "x".repeat(5_000) });
      if (n % 7 === 0) await logs[0]?.flush();
    }
    await Promise.all(logs.map((log) => log.close()));
    const { matched } = await readLog(dir, { day: "", minLevel: "", text: "", limit: 1 });
    expect(matched).toBe(400);
  });

  it("drops beyond 1,024 waiting lines and says how many once there is room (LOG-02)", async () => {
    const log = openLog();
    for (let n = 0; n < 1_030; n++) log.info("m", { n });
    await log.flush();
    log.info("next");
    await log.close();
    const lines = linesOf();
    expect(lines.slice(1_023)).toMatchObject([
      { msg: "m", n: 1_023 },
      { level: "WARN", msg: "log records dropped", count: 6 },
      { msg: "next" },
    ]);
    expect(lines).toHaveLength(1_026);
  });

  it("neither waits for a disk that hangs, nor flushes it for ever, and reports the loss once (LOG-02, 07)", async () => {
    mkdirSync(dir);
    execFileSync("mkfifo", [path.join(dir, TODAY)]); // takes some bytes, then nothing until somebody reads
    const log = openLog();
    for (let n = 0; n < 500; n++) log.info("m", { n, text: "x".repeat(500) });
    await log.flush();
    for (let n = 500; n < 2_000; n++) log.info("m", { n, text: "x".repeat(500) });
    await log.flush();

    const reader = await open(path.join(dir, TODAY), "r");
    let text = "";
    while (!text.includes("log records dropped"))
      text += (await reader.read({ buffer: Buffer.alloc(65_536) })).buffer.toString().replaceAll("\0", "");
    await reader.close();
    await log.close();
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(1_025);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ msg: "log records dropped", count: 976 });
  });

  it("counts what it can't write as dropped, and makes the file anew for the next line (LOG-02)", async () => {
    const log = openLog();
    log.info("first");
    await log.flush();
    rmSync(dir, { recursive: true });
    writeFileSync(dir, "in the way");
    log.info("lost 1");
    await log.flush();
    log.info("lost 2");
    log.info("lost 3");
    await log.flush();
    rmSync(dir);
    log.info("kept");
    await log.close();
    expect(linesOf()).toMatchObject([{ level: "WARN", msg: "log records dropped", count: 3 }, { msg: "kept" }]);
    expect([statSync(dir).mode & 0o777, warnings]).toEqual([0o700, []]);
  });

  it("goes on when somebody deletes its file", async () => {
    const log = openLog();
    log.info("gone");
    await log.flush();
    rmSync(path.join(dir, TODAY));
    log.info("kept");
    await log.close();
    expect(messagesOf()).toEqual(["kept"]);
  });

  it("ends a line that a crash tore before it writes its own", async () => {
    mkdirSync(dir);
    appendFileSync(path.join(dir, TODAY), '{"time":"2026-01');
    const log = openLog();
    log.info("m");
    await log.close();
    const [torn, line] = textOf().split("\n");
    expect([torn, JSON.parse(line ?? "")]).toMatchObject(['{"time":"2026-01', { msg: "m" }]);
  });
});
