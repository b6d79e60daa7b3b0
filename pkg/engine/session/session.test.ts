// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason, type Message, NO_USAGE } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../history/index.js";
import { openSessions, type SessionStore } from "./index.js";

let root: string;
let dir: string;
let hex: number;
const warnings: string[] = [];
let now: Date;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-session-")));
  dir = path.join(root, "sessions");
  hex = 0;
  warnings.length = 0;
  now = new Date("2026-05-04T03:02:01.000Z");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const openIn = (workspace: string): SessionStore =>
  openSessions({
    dir,
    workspace,
    now: () => now,
    randomHex: () => (hex++).toString(16).padStart(8, "0"),
    warn: (message) => warnings.push(message),
  });
const prompt = (text: string): Message => ({ role: "user", text, time: now, kind: "" });
const event = (text: string): Event => ({
  v: 1,
  id: text,
  turn: "e-1",
  time: now.toISOString(),
  author: "user",
  role: "user",
  parts: [{ type: "text", text }],
});
const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  return isReason(error) ? error.reason : error;
};

describe("a session", () => {
  it("is not on disk until its first message (SES-17)", async () => {
    const store = openIn("/w");
    const session = store.create("blitz");
    expect(session.id).toMatch(/^session-20260504-030201-[0-9a-f]{8}$/);
    expect(() => statSync(dir)).toThrow();
    await session.appendMessage(prompt("hello"));
    expect(readdirSync(dir).sort()).toEqual(["order", `${session.id}.jsonl`, `${session.id}.meta.json`]);
  });

  it("keeps folder and files owner-only (17)", async () => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt("hello"));
    await session.appendEvents([event("hello")]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(path.join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["its first non-empty line", "\n\n  fix   the\tbug \nmore", "fix the bug"],
    ["at most 60 code points", "é".repeat(80), `${"é".repeat(59)}…`],
    ["without control characters", "a\u001b[31mb", "a [31mb"],
  ])("takes its title from the prompt: %s (SES-12)", async (_name, text, title) => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt(text));
    await session.appendMessage(prompt("another"));
    expect(session.meta.title).toBe(title);
  });

  it("keeps a title given by hand and refuses an empty one (SES-12)", async () => {
    const session = openIn("/w").create("blitz");
    await session.rename("mine");
    await session.appendMessage(prompt("first"));
    expect(session.meta.title).toBe("mine");
    expect(await reasonOf(session.rename(" \n"))).toBe("INVALID_TITLE");
  });

  it.each([
    ["bare", '{"v":1,"id":"x","role":"mod'],
    ["with an empty line after it", '{"v":1,"id":"x","role":"mod\n\n'],
    ["with an empty CRLF line after it", '{"v":1,"id":"x","role":"mod\n\r\n'],
  ])("goes on after a torn last line, %s (T-SES-1)", async (_name, torn) => {
    const first = openIn("/w").create("blitz");
    await first.appendMessage(prompt("one"));
    await first.appendEvents([event("one")]);
    for (const suffix of [".jsonl", ".events.jsonl"]) appendFileSync(path.join(dir, first.id + suffix), torn);

    const again = await openIn("/w").resume("latest");
    expect((await again.log()).filter((line) => "event" in line)).toHaveLength(1);
    await again.appendMessage(prompt("two"));
    await again.appendEvents([event("two")]);

    const third = await openIn("/w").resume(first.id);
    expect((await third.messages()).map((message) => message.text)).toEqual(["one", "two"]);
    expect((await third.log()).flatMap((line) => ("event" in line ? [line.event.id] : []))).toEqual(["one", "two"]);
  });

  it("keeps usage and fields of a newer version across a restart (SES-15)", async () => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt("one"));
    const file = path.join(dir, `${session.id}.meta.json`);
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), future: { a: 1 } }));
    const again = await openIn("/w").resume(session.id);
    again.addUsage({ ...NO_USAGE, calls: 1, input: 10, output: 5, lastPrompt: 10, costUsd: 0.5 });
    await again.settled();
    const third = await openIn("/w").resume(session.id);
    expect(third.meta.usage).toMatchObject({ calls: 1, input: 10, costUsd: 0.5, lastPrompt: 10 });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ future: { a: 1 } });
  });

  it("writes interleaved changes one after the other (SES-49)", async () => {
    const session = openIn("/w").create("blitz");
    session.addUsage({ ...NO_USAGE, calls: 1 });
    session.addUsage({ ...NO_USAGE, calls: 1 });
    await Promise.all([
      session.appendMessage(prompt("one")),
      session.appendEvents([event("a")]),
      session.appendMessage(prompt("two")),
    ]);
    const again = await openIn("/w").resume(session.id);
    expect(again.meta).toMatchObject({ messageCount: 2, usage: { calls: 2 } });
  });
});

describe("the sessions folder", () => {
  it("lists this workspace's, newest write first, whatever the clock says (SES-13, SES-28)", async () => {
    const store = openIn("/w");
    const first = store.create("blitz");
    await first.appendMessage(prompt("first"));
    now = new Date("2020-01-01T00:00:00Z");
    const second = store.create("blitz");
    await second.appendMessage(prompt("second"));
    await openIn("/elsewhere").create("blitz").appendMessage(prompt("other"));
    expect((await openIn("/w").list(false)).map((meta) => meta.title)).toEqual(["second", "first"]);
    expect(await openIn("/w").list(true)).toHaveLength(3);
    expect((await openIn("/w").resume("latest")).id).toBe(second.id);
  });

  it("finds the order again when the note of it is lost (SES-28)", async () => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt("a"));
    await session.appendMessage(prompt("b"));
    rmSync(path.join(dir, "order"));
    const next = openIn("/w").create("blitz");
    await next.appendMessage(prompt("c"));
    expect(next.meta.order).toBe(3);
  });

  it("reads no bodies when listing (T-SES-4)", async () => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt("a"));
    await session.appendEvents([event("a")]);
    // A folder in a body's place fails every read, for root as well.
    for (const suffix of [".jsonl", ".events.jsonl"]) {
      rmSync(path.join(dir, session.id + suffix));
      await mkdir(path.join(dir, session.id + suffix));
    }
    expect((await openIn("/w").list(false)).map((meta) => meta.id)).toEqual([session.id]);
  });

  it("skips foreign files with one warning and deletes none (17 Bad input)", async () => {
    await openIn("/w").create("blitz").appendMessage(prompt("a"));
    writeFileSync(path.join(dir, "x.meta.json"), "{");
    writeFileSync(path.join(dir, "y.meta.json"), "[]");
    expect(await openIn("/w").list(true)).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining("skipped 2 unreadable")]);
    expect(readdirSync(dir)).toContain("x.meta.json");
  });

  it.each([
    ["latest where there is none", "latest", "RESUME_FAILED"],
    ["an unknown ID", "session-x", "RESUME_FAILED"],
    ["an ID that leaves the folder", "../x", "INVALID_ID"],
    ["an ID of 129 characters", "a".repeat(129), "INVALID_ID"],
    ["an empty ID", "", "INVALID_ID"],
  ])("refuses to resume %s", async (_name, ref, reason) => {
    expect(await reasonOf(openIn("/w").resume(ref))).toBe(reason);
  });

  it("names the nearest session when the one asked for isn't there", async () => {
    const session = openIn("/w").create("blitz");
    await session.appendMessage(prompt("a"));
    await expect(openIn("/w").resume(`${session.id.slice(0, -1)}x`)).rejects.toThrow(`did you mean ${session.id}?`);
    await expect(openIn("/w").resume("nothing-like-it")).rejects.toThrow("blitz sessions lists");
  });

  it("counts a recorded directory that is a link to this one now as this one (T-SES-3)", async () => {
    const real = path.join(root, "real");
    await mkdir(real);
    await openIn(real).create("blitz").appendMessage(prompt("a"));
    renameSync(real, path.join(root, "moved"));
    symlinkSync("moved", real);
    expect(await openIn(path.join(root, "moved")).list(false)).toHaveLength(1);
  });

  it("deletes a session that isn't open, and only that (SES-23)", async () => {
    const store = openIn("/w");
    const session = store.create("blitz");
    await session.appendMessage(prompt("a"));
    expect(await reasonOf(store.remove(session.id))).toBe("SESSION_OPEN");
    const other = openIn("/w");
    await other.remove(session.id);
    expect(await other.list(true)).toEqual([]);
    expect(await reasonOf(other.remove(session.id))).toBe("SESSION_NOT_FOUND");
  });

  it("reports a folder it can't write and keeps the session usable in memory (17 Bad input)", async () => {
    writeFileSync(dir, "a file in the folder's place");
    chmodSync(dir, 0o600);
    const session = openIn("/w").create("blitz");
    await expect(session.appendMessage(prompt("a"))).rejects.toThrow();
    rmSync(dir);
    await session.appendMessage(prompt("b"));
    expect(session.meta.messageCount).toBe(1);
  });
});
