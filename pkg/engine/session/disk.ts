// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { readFile, rename, rm, unlink } from "node:fs/promises";

// Writes here are a few kilobytes to files the system has at hand. Done at once they take some tens of
// microseconds; through the thread pool each would cost a turn more than a millisecond per call.

/** Reads a whole file as text; `undefined` when it doesn't exist. Other failures reject. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Appends whole lines, owner-only. `afterTear`: the file may end in a torn line, so the append starts
 * on a line of its own when the last byte isn't a newline (SES-10).
 */
export function appendLines(file: string, lines: string, afterTear: boolean): void {
  const handle = openSync(file, constants.O_APPEND | constants.O_CREAT | constants.O_RDWR, 0o600);
  try {
    const bytes = Buffer.from(afterTear && endsTorn(handle) ? `\n${lines}` : lines, "utf8");
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
  } finally {
    closeSync(handle);
  }
}

function endsTorn(handle: number): boolean {
  const { size } = fstatSync(handle);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** Removes a file; one that isn't there is fine. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Replaces a file as a whole: written beside it, owner-only, then renamed. Nothing is left behind on
 * failure. The rename is waited for elsewhere: some file systems write the new content out before it.
 */
export async function replaceFile(file: string, text: string, unique: string): Promise<void> {
  const made = `${file}.tmp-${unique}`;
  try {
    writeFileSync(made, text, { flag: "wx", mode: 0o600 });
    await rename(made, file);
  } catch (error) {
    await unlink(made).catch(() => undefined); // it may never have been made
    throw error;
  }
}
