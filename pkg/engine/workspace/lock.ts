// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { apiError } from "@blitz/api";
import { tryLock } from "@blitz/lock";

/** What people are told about who holds a workspace; nothing is decided by it. */
export interface Holder {
  readonly workspace: string;
  readonly pid: number;
  /** When it opened it, ISO 8601. */
  readonly started: string;
}

/** What taking a lock needs. */
export interface LockDeps {
  /** `~/.blitz/locks`, absolute. */
  readonly dir: string;
  readonly pid: number;
  readonly now: () => Date;
}

/**
 * Takes the workspace's exclusive lock, without waiting (WS-03); the operating system frees it
 * when this process dies, however it dies.
 *
 * @param workspace - its canonical directory
 * @throws ApiError `WORKSPACE_BUSY` with the holder's PID when another open has it
 */
export async function takeLock(deps: LockDeps, workspace: string): Promise<AsyncDisposable> {
  await mkdir(deps.dir, { recursive: true, mode: 0o700 });
  await chmod(deps.dir, 0o700);
  const { file, record } = filesOf(deps.dir, workspace);
  const lock = await tryLock(file);
  if (lock === undefined) {
    const holder = await holderOf(record);
    const pid = holder === undefined ? {} : { pid: String(holder.pid) };
    throw apiError("WORKSPACE_BUSY", `${workspace} is open in another process`, { workspace, ...pid });
  }
  const holder: Holder = { workspace, pid: deps.pid, started: deps.now().toISOString() };
  try {
    await writeFile(record, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    lock[Symbol.dispose](); // a failed open leaves nothing held
    throw error;
  }
  let held = true;
  return {
    [Symbol.asyncDispose]: async () => {
      if (!held) return;
      held = false;
      await rm(record, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/**
 * Who has a workspace open, by the record beside its lock, while that process runs. The lock itself isn't
 * touched: to take it for a moment would refuse whoever opens the workspace just then.
 */
export async function lockHolder(dir: string, workspace: string): Promise<Holder | undefined> {
  const holder = await holderOf(filesOf(dir, workspace).record);
  return holder !== undefined && isRunning(holder.pid) ? holder : undefined;
}

function filesOf(dir: string, workspace: string): { readonly file: string; readonly record: string } {
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 24);
  return { file: path.join(dir, `${name}.lock.db`), record: path.join(dir, `${name}.json`) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // there, but another user's
  }
}

async function holderOf(record: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(record, "utf8")) as Holder;
  } catch {
    return undefined; // just being written, or lost: only the words of the message miss it
  }
}
