// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmod, type FileHandle, mkdir, open, readdir, unlink } from "node:fs/promises";
import path from "node:path";
import { dayOfFile, fileOfDay } from "./day-file.js";

const NEWLINE: number = 0x0a;

/** Makes the log's directory, or makes it private if it was there. */
export async function makePrivateDir(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
}

/** Deletes the log's files of days before `oldest`. Others are never touched, and what can't be deleted stays. */
export async function pruneDays(dir: string, oldest: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const day = dayOfFile(name);
    if (day === undefined || day >= oldest) continue;
    await unlink(path.join(dir, name)).catch(() => undefined); // the next day's pruning tries again
  }
}

/**
 * Makes a day's file, or ends the line in it that a full disk or a crash cut off. While another process is writing,
 * its line may look so: then a line stays empty, which readers skip.
 */
export async function prepareDay(dir: string, day: string): Promise<void> {
  await using file = await openDay(dir, day);
  const { size } = await file.stat();
  if (size === 0) return;
  const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  if (bytesRead === 1 && buffer[0] !== NEWLINE) await file.write("\n");
}

/**
 * Appends whole lines to a day's file by one write. The file is opened for it: one that was deleted or couldn't be
 * written is a new one the next time.
 */
export async function appendLines(dir: string, day: string, lines: readonly string[]): Promise<void> {
  await using file = await openDay(dir, day);
  let rest = Buffer.from(`${lines.join("\n")}\n`);
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
}

function openDay(dir: string, day: string): Promise<FileHandle> {
  return open(path.join(dir, fileOfDay(day)), "a+", 0o600);
}
