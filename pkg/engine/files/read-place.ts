// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { failed, type FileProblem, problem } from "./file-problem.js";
import type { Place } from "./resolver.js";

/** A file's content and state as they were at one moment. */
export interface FileContent {
  readonly ok: true;
  readonly display: string;
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Opens what a place names and proves it is that very file: never a link put there meanwhile, never
 * something outside (FS-90). Node.js has no `openat`; what is left of the window is a documented limit.
 */
export async function openPlace(place: Place): Promise<FileHandle | FileProblem> {
  try {
    const handle = await open(place.real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const wrong = await otherThan(handle, place);
    if (wrong === undefined) return handle;
    await handle.close();
    return wrong;
  } catch (error) {
    return failed(error, place.display);
  }
}

async function otherThan(handle: FileHandle, { real, display }: Place): Promise<FileProblem | undefined> {
  const [opened, named] = await Promise.all([handle.stat(), lstat(real)]);
  if (opened.dev !== named.dev || opened.ino !== named.ino)
    return problem("CHANGED", `${display} was replaced while it was opened; try again`);
  if (process.platform === "linux") {
    const actual = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => real); // no /proc: the check above stands alone
    if (actual !== real) return problem("CHANGED", `${display} was moved while it was opened; try again`);
  }
  if (opened.isDirectory()) return problem("NOT_A_FILE", `${display} is a directory`);
  if (!opened.isFile()) return problem("NOT_A_FILE", `${display} is not a regular file`);
  return undefined;
}

/** Reads a whole file; one over the limit, or growing past it meanwhile, is refused (FS-06). */
export async function readPlace(place: Place, maxBytes: number): Promise<FileContent | FileProblem> {
  const handle = await openPlace(place);
  if ("ok" in handle) return handle;
  await using file = handle;
  try {
    const { size, mode } = await file.stat();
    const tooLarge = (bytes: number): FileProblem =>
      problem(
        "TOO_LARGE",
        `${place.display} has ${bytes} bytes, over the limit of ${maxBytes}; search it with grep, or use a command`,
      );
    if (size > maxBytes) return tooLarge(size);
    const bytes = await file.readFile();
    if (bytes.length > maxBytes) return tooLarge(bytes.length);
    return { ok: true, display: place.display, bytes, mode: mode & 0o7777 };
  } catch (error) {
    return failed(error, place.display);
  }
}
