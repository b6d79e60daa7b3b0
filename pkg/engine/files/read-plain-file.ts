// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";

/** A file a person wrote for Blitz, as far as it was read. */
export interface PlainFile {
  /** Where it really is, links resolved: what was read. */
  readonly real: string;
  /** At most the bytes asked for. */
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

/** Whether anything stands under a path, without following a last link. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Reads the start of a regular file that need not lie in a root: instruction files, of the user and of
 * the repository around the workspace. `undefined` when it isn't there, isn't one, can't be read, or
 * `allowed` refuses where it really is. The agent's own reading goes through `Files`.
 */
export async function readPlainFile(
  path: string,
  maxBytes: number,
  allowed: (real: string) => boolean,
): Promise<PlainFile | undefined> {
  try {
    const real = await realpath(path);
    if (!allowed(real)) return undefined;
    // The real path is opened without following links, so what was allowed is what is read.
    await using file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const bytes = await readStart(file, maxBytes + 1);
    return { real, bytes: bytes.subarray(0, maxBytes), truncated: bytes.length > maxBytes };
  } catch {
    return undefined; // unreadable is as good as absent for files nobody has to write (MEM-04)
  }
}

/** A read may give less than asked for though there is more. */
async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
