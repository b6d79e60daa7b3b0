// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";

/** Reads a whole file as text; `undefined` when it doesn't exist. Other failures reject. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file, "r");
    return await handle.readFile("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Appends whole lines, owner-only. `afterTear`: the file may end in a torn line, so the append starts
 * on a line of its own when the last byte isn't a newline (SES-10).
 */
export async function appendLines(file: string, lines: string, afterTear: boolean): Promise<void> {
  await using handle = await open(file, constants.O_APPEND | constants.O_CREAT | constants.O_RDWR, 0o600);
  await handle.appendFile(afterTear && (await endsTorn(handle)) ? `\n${lines}` : lines);
}

async function endsTorn(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** Replaces a file as a whole: written beside it, owner-only, then renamed. Nothing is left behind on failure. */
export async function replaceFile(file: string, text: string, unique: string): Promise<void> {
  const made = `${file}.tmp-${unique}`;
  try {
    await using handle = await open(made, "wx", 0o600);
    await handle.writeFile(text);
  } catch (error) {
    await unlink(made).catch(() => undefined); // it may never have been made
    throw error;
  }
  await rename(made, file);
}
