// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { apiError } from "@blitz/api";
import { tryLock } from "@blitz/lock";

/** What people are told about who holds a workspace; nothing is decided by it. */
interface Holder {
  readonly workspace: string;
  readonly pid: number;
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
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 24);
  await mkdir(deps.dir, { recursive: true, mode: 0o700 });
  await chmod(deps.dir, 0o700);
  const file = path.join(deps.dir, `${name}.lock.db`);
  const record = path.join(deps.dir, `${name}.json`);
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

async function holderOf(record: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(record, "utf8")) as Holder;
  } catch {
    return undefined; // just being written, or lost: only the words of the message miss it
  }
}
