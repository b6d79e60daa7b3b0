// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { type FileProblem, failed, problem } from "./file-problem.js";
import type { Place } from "./resolver.js";

/** A file's content and state as they were at one moment. */
export interface FileContent {
  readonly ok: true;
  readonly display: string;
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** A file that is open, proven to be the one named. */
interface OpenedPlace {
  readonly ok: true;
  /** Its descriptor; the caller closes it. */
  readonly fd: number;
  readonly size: number;
  readonly mode: number;
}

/** Read at once up to this size; larger ones through the thread pool, so that the event loop goes on. */
const SMALL: number = 256 * 1024;

/**
 * Opens what a place names and proves it is that very file: never a link put there meanwhile, never
 * something outside (FS-90). Node.js has no `openat`; what is left of the window is a documented limit.
 * Done at once: a few system calls, each far cheaper than a trip through the thread pool.
 */
export function openPlace(place: Place): OpenedPlace | FileProblem {
  let fd: number;
  try {
    fd = openSync(place.real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failed(error, place.display);
  }
  try {
    const opened = fstatSync(fd);
    const named = lstatSync(place.real);
    const wrong = otherThan(fd, place, opened.dev === named.dev && opened.ino === named.ino);
    if (wrong === undefined && opened.isFile()) return { ok: true, fd, size: opened.size, mode: opened.mode & 0o7777 };
    closeSync(fd);
    const kind = opened.isDirectory() ? "a directory" : "not a regular file";
    return wrong ?? problem("NOT_A_FILE", `${place.display} is ${kind}`);
  } catch (error) {
    closeSync(fd);
    return failed(error, place.display);
  }
}

function otherThan(fd: number, { real, display }: Place, isNamed: boolean): FileProblem | undefined {
  if (!isNamed) return problem("CHANGED", `${display} was replaced while it was opened; try again`);
  if (process.platform !== "linux") return undefined;
  if (pathOf(fd, real) !== real) return problem("CHANGED", `${display} was moved while it was opened; try again`);
  return undefined;
}

function pathOf(fd: number, real: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return real; // no /proc: the comparison of device and inode stands alone
  }
}

/** Reads a whole file; one over the limit, or growing past it meanwhile, is refused (FS-06). */
export async function readPlace(place: Place, maxBytes: number): Promise<FileContent | FileProblem> {
  const opened = openPlace(place);
  if (!opened.ok) return opened;
  const tooLarge = (bytes: number): FileProblem => {
    const size = `${place.display} has ${bytes} bytes, over the limit of ${maxBytes}`;
    return problem("TOO_LARGE", `${size}; search it with grep, or use a command`);
  };
  try {
    if (opened.size > maxBytes) return tooLarge(opened.size);
    const bytes = opened.size <= SMALL ? readAll(opened) : await readLarge(place, opened);
    if (bytes.length > maxBytes) return tooLarge(bytes.length);
    return { ok: true, display: place.display, bytes, mode: opened.mode };
  } catch (error) {
    return failed(error, place.display);
  } finally {
    closeSync(opened.fd);
  }
}

/** To its end, which may have moved since it was opened. */
function readAll({ fd, size }: OpenedPlace): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = Buffer.allocUnsafe(size + 1); ; chunk = Buffer.allocUnsafe(SMALL)) {
    const count = readSync(fd, chunk, 0, chunk.length, null);
    if (count === 0) return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
  }
}

/** The same file once more, by its descriptor's place; what it was proven to be is checked again. */
async function readLarge(place: Place, opened: OpenedPlace): Promise<Buffer> {
  await using file = await open(place.real, constants.O_RDONLY | constants.O_NOFOLLOW);
  const [again, first] = [await file.stat(), fstatSync(opened.fd)];
  if (again.dev !== first.dev || again.ino !== first.ino)
    throw new Error("it was replaced while it was read; try again");
  return await file.readFile();
}
