// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { tryLock } from "@blitz/lock";

/** Lines a person entered, shared by every session of theirs (TUI-11). */
export interface History {
  /** Newest first, each once. */
  readonly entries: readonly string[];
  /** Keeps one more, behind what other sessions kept meanwhile. */
  add(entry: string): Promise<void>;
}

/**
 * Opens the history kept in `file` (0600) and, before it grew full, in `file`.old: a JSON string a line.
 * What can't be read as one, such as the end of a write cut by a crash, is skipped.
 *
 * @param size - how many entries are recalled; the files hold at most twice as many and a few
 * @throws Error when the files can't be read
 */
export async function openHistory(file: string, size: number): Promise<History> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const now = await entriesOf(file);
  const before = await entriesOf(`${file}.old`);
  if (now.length > Math.max(1, size)) await setAside(file, size);
  const entries = [...new Set([...before, ...now].reverse())].slice(0, size);
  return { entries, add: (entry) => append(file, entry) };
}

async function entriesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** One write, so that entries of several processes never mix; on a line of its own whatever stands before. */
async function append(file: string, entry: string): Promise<void> {
  await using handle = await open(file, "a+", 0o600);
  const { size } = await handle.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await handle.read(last, 0, 1, size - 1);
  const start = size > 0 && last.toString() !== "\n" ? "\n" : "";
  await handle.write(`${start}${JSON.stringify(entry)}\n`);
}

/** Begins a new file; whoever is writing to the old one still reaches it. One process does it at a time. */
async function setAside(file: string, size: number): Promise<void> {
  using lock = await tryLock(`${file}.lock`);
  if (lock === undefined || (await entriesOf(file)).length <= size) return;
  await chmod(file, 0o600);
  await rename(file, `${file}.old`);
}
