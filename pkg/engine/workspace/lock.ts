// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { chmod, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { apiError } from "@blitz/api";

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
 * Takes the workspace's exclusive lock, without waiting (WS-03): an open SQLite transaction, freed by
 * the operating system when this process dies, however it dies (ADR 0002).
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
  await (await open(file, "a", 0o600)).close(); // SQLite would make it with the umask's mode
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    const holder = await holderOf(record);
    const pid = holder === undefined ? {} : { pid: String(holder.pid) };
    throw apiError("WORKSPACE_BUSY", `${workspace} is open in another process`, { workspace, ...pid }, error);
  }
  const holder: Holder = { workspace, pid: deps.pid, started: deps.now().toISOString() };
  await writeFile(record, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  let held = true;
  return {
    [Symbol.asyncDispose]: async () => {
      if (!held) return;
      held = false;
      await rm(record, { force: true });
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  // SQLITE_BUSY; the text differs between versions, the number doesn't.
  return typeof error === "object" && error !== null && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

async function holderOf(record: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(record, "utf8")) as Holder;
  } catch {
    return undefined; // just being written, or lost: only the words of the message miss it
  }
}
