// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { chmod, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { apiError } from "@blitz/api";
import { type Lock, tryLock } from "@blitz/lock";

const LOCK_WAIT_MS = 5_000;
const LOCK_RETRY_MS = 5;
/** Edits begun anew because somebody without the lock wrote the file meanwhile. */
const ATTEMPTS = 5;

/**
 * Changes a text file in place, whole or not at all, through a link to what it points at; a new one is 0600, in
 * a folder of 0700. Under a lock between processes; an edit by a program without it is noticed, and `edit`
 * is asked again (CFG-20). An edit that returns its text writes nothing.
 *
 * @param locks - folder of the lock files
 * @param edit - gets `""` for a file that isn't there; what it throws leaves the file alone
 * @returns whether the file was written
 * @throws ApiError `CONFIG_INVALID` for a file that can't be read as UTF-8, `INTERNAL` when it stays locked or keeps changing
 */
export async function editFile(file: string, locks: string, edit: (text: string) => Promise<string>): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const real = await realpath(file).catch(() => file); // not there yet, or reading it says why
  using _lock = await waitForLock(locks, real);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = bytesOf(real);
    const text = decoded(before, file);
    const after = await edit(text);
    if (after === text) return false;
    if (await replace(real, before, after)) return true;
  }
  throw apiError("INTERNAL", `${file} keeps changing; nothing was saved`, {});
}

/** The lock can't be waited for, only tried; it is held for some milliseconds. */
async function waitForLock(locks: string, file: string): Promise<Lock> {
  await mkdir(locks, { recursive: true, mode: 0o700 });
  const name = createHash("sha256").update(file).digest("hex").slice(0, 24);
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = await tryLock(path.join(locks, `${name}.lock.db`));
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw apiError("INTERNAL", `${file} is being saved by another process`, {});
    await delay(LOCK_RETRY_MS);
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw apiError("CONFIG_INVALID", `${file}: ${message}`, { problems: message }, error);
  }
}

/** Keeps a byte-order mark; refuses bytes that writing the text back would change. */
function decoded(bytes: Buffer | undefined, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const problems = `${file}: not UTF-8`;
    throw apiError("CONFIG_INVALID", problems, { problems }, error);
  }
}

/** Writes beside the file and renames, unless the file isn't what was read any more. */
async function replace(file: string, before: Buffer | undefined, text: string): Promise<boolean> {
  const draft = `${file}.tmp-${randomUUID()}`;
  try {
    const old = await stat(file).catch(() => undefined); // a new file, or one removed meanwhile, which shows below
    const mode = old === undefined ? 0o600 : old.mode & 0o777;
    await writeDurably(draft, text, mode);
    await chmod(draft, mode); // also where the umask takes bits away
    // Compared and renamed in one go: nothing else of this process comes between.
    const now = bytesOf(file);
    if (before === undefined ? now !== undefined : now?.equals(before) !== true) return false;
    renameSync(draft, file);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, "wx", mode);
  await handle.writeFile(text);
  await handle.sync();
}
