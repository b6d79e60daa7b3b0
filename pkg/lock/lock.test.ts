// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryLock } from "./lock.js";

let file: string;
beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), "blitz-lock-")), "it.lock.db");
});
afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }));

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Another process that says `ready`, waits for its input to end, and then says whether it has the lock. */
function startOther(): Child {
  const module = path.join(import.meta.dirname, `lock${path.extname(import.meta.filename)}`);
  const program = `
    import { once } from "node:events";
    import { tryLock } from ${JSON.stringify(pathToFileURL(module).href)};
    process.stdout.write("ready");
    await once(process.stdin.resume(), "end");
    const lock = await tryLock(${JSON.stringify(file)});
    process.stdout.write(lock === undefined ? "refused" : "held");
    setInterval(() => lock, 1_000);`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["pipe", "pipe", "inherit"] });
}

async function said(child: Child): Promise<string> {
  const [word] = (await once(child.stdout, "data")) as [Buffer];
  return word.toString();
}

async function kill(child: Child): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** What another process gets. */
async function otherGets(): Promise<string> {
  const child = startOther();
  await said(child);
  child.stdin.end();
  const word = await said(child);
  await kill(child);
  return word;
}

describe("tryLock", () => {
  it("refuses a second holder in this process until the first lets go, any number of times (WS-03)", async () => {
    const lock = await tryLock(file);
    expect(await tryLock(file)).toBeUndefined();
    lock?.[Symbol.dispose]();
    lock?.[Symbol.dispose]();
    using again = await tryLock(file);
    expect(again).toBeDefined();
  });

  it("refuses another process, also after a refusal in this one, and lets it in when freed", async () => {
    const lock = await tryLock(file);
    expect(await otherGets()).toBe("refused");
    // A careless look at the file here would free the lock for others.
    expect(await tryLock(file)).toBeUndefined();
    expect(await otherGets()).toBe("refused");
    lock?.[Symbol.dispose]();
    expect(await otherGets()).toBe("held");
  });

  it("is free as soon as its holder is killed (00 decision 10)", async () => {
    const holder = startOther();
    await said(holder);
    holder.stdin.end();
    expect(await said(holder)).toBe("held");
    expect(await tryLock(file)).toBeUndefined();
    await kill(holder);
    using lock = await tryLock(file);
    expect(lock).toBeDefined();
  });

  it("goes to exactly one of several processes that start together, every time", async () => {
    for (let round = 0; round < 5; round++) {
      const children = [startOther(), startOther(), startOther(), startOther()];
      await Promise.all(children.map(said));
      for (const child of children) child.stdin.end();
      const words = await Promise.all(children.map(said));
      expect(words.toSorted()).toEqual(["held", "refused", "refused", "refused"]);
      await Promise.all(children.map(kill));
    }
  });

  it("goes to exactly one of several calls at once in this process", async () => {
    const locks = await Promise.all([tryLock(file), tryLock(file), tryLock(file)]);
    expect(locks.filter((lock) => lock !== undefined)).toHaveLength(1);
    expect(await otherGets()).toBe("refused");
    for (const lock of locks) lock?.[Symbol.dispose]();
  });

  it("keeps files apart, makes them owner-only and leaves nothing beside them", async () => {
    const other = path.join(path.dirname(file), "other.lock.db");
    const before = process.umask(0);
    using one = await tryLock(file);
    using two = await tryLock(other);
    process.umask(before);
    expect([one, two]).not.toContain(undefined);
    expect([statSync(file).mode & 0o777, statSync(other).mode & 0o777]).toEqual([0o600, 0o600]);
    expect(readdirSync(path.dirname(file)).toSorted()).toEqual(["it.lock.db", "other.lock.db"]);
  });

  it("fails, keeping the file, when it is something else", async () => {
    writeFileSync(file, "notes of somebody".repeat(100));
    await expect(tryLock(file)).rejects.toThrow("not a database");
    expect(statSync(file).size).toBe(1_700);
  });

  it("fails when the folder is missing", async () => {
    await expect(tryLock(path.join(file, "no", "such"))).rejects.toThrow("ENOENT");
  });
});
