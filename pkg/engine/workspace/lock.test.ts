// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLock } from "./lock.js";

let dir: string;
beforeEach(() => {
  dir = path.join(mkdtempSync(path.join(tmpdir(), "blitz-lock-")), "locks");
});
afterEach(() => rmSync(path.dirname(dir), { recursive: true, force: true }));

const deps = () => ({ dir, pid: process.pid, now: () => new Date("2026-01-01T00:00:00Z") });
const busy = async (): Promise<string | undefined> => {
  const error: unknown = await takeLock(deps(), "/w").then(
    async (lock) => {
      await lock[Symbol.asyncDispose]();
      return undefined;
    },
    (problem: unknown) => problem,
  );
  return isReason(error, "WORKSPACE_BUSY")
    ? (error.metadata["pid"] ?? "?")
    : error === undefined
      ? undefined
      : String(error);
};

/** Holds the same file in another process, as `takeLock` does. */
async function holdElsewhere(): Promise<ChildProcess> {
  await (await takeLock(deps(), "/w"))[Symbol.asyncDispose]();
  const file = path.join(dir, readdirSync(dir).find((name) => name.endsWith(".lock.db")) ?? "");
  const script = `const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec("BEGIN EXCLUSIVE"); process.stdout.write("held"); setInterval(() => db, 1000);`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

describe("takeLock", () => {
  it("refuses a second open in this process, naming the holder (WS-03)", async () => {
    const lock = await takeLock(deps(), "/w");
    expect(await busy()).toBe(String(process.pid));
    await lock[Symbol.asyncDispose]();
    await lock[Symbol.asyncDispose]();
    expect(await busy()).toBeUndefined();
  });

  it("keeps workspaces apart and files owner-only", async () => {
    await using one = await takeLock(deps(), "/w");
    await using two = await takeLock(deps(), "/v");
    expect([one, two]).toHaveLength(2);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(path.join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it("lets go when it can't write who holds it (WS-03)", async () => {
    await (await takeLock(deps(), "/w"))[Symbol.asyncDispose]();
    const record = path.join(dir, (readdirSync(dir)[0] ?? "").replace(".lock.db", ".json"));
    mkdirSync(record);
    await expect(takeLock(deps(), "/w")).rejects.toThrow("EISDIR");
    rmSync(record, { recursive: true });
    expect(await busy()).toBeUndefined();
  });

  it("is refused while another process holds it and free when that is killed (WS-03, 00 decision 10)", async () => {
    const holder = await holdElsewhere();
    expect(await busy()).toBe("?");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(await busy()).toBeUndefined();
  });
});
