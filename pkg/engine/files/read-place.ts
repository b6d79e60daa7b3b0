// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, constants, fstatSync, lstatSync, openSync, read, readlinkSync, readSync } from "node:fs";
import { promisify } from "node:util";
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

/** The state of a file just opened; one that isn't regular is closed and refused. */
export function statOpened(fd: number, display: string): OpenedPlace | FileProblem {
  try {
    const found = fstatSync(fd);
    if (found.isFile()) return { ok: true, fd, size: found.size, mode: found.mode & 0o7777 };
    closeSync(fd);
    return problem("NOT_A_FILE", `${display} is not a regular file`);
  } catch (error) {
    closeSync(fd);
    return failed(error, display);
  }
}

/** Reads a whole file; one over the limit, or growing past it meanwhile, is refused (FS-06). */
export async function readPlace(place: Place, maxBytes: number): Promise<FileContent | FileProblem> {
  const opened = openPlace(place);
  return opened.ok ? await readOpened(opened, place.display, maxBytes) : opened;
}

/** Reads what was opened, and closes it: at once when it is small. */
export function readOpened(
  opened: OpenedPlace,
  display: string,
  maxBytes: number,
): FileContent | FileProblem | Promise<FileContent | FileProblem> {
  const tooLarge = (bytes: number): FileProblem => {
    const size = `${display} has ${bytes} bytes, over the limit of ${maxBytes}`;
    return problem("TOO_LARGE", `${size}; search it with grep, or use a command`);
  };
  const whole = (bytes: Buffer): FileContent | FileProblem =>
    bytes.length > maxBytes ? tooLarge(bytes.length) : { ok: true, display, bytes, mode: opened.mode };
  if (opened.size > maxBytes) {
    closeSync(opened.fd);
    return tooLarge(opened.size);
  }
  if (opened.size > SMALL) return readLarge(opened, maxBytes).then(whole, (error: unknown) => failed(error, display));
  try {
    return whole(readAll(opened));
  } catch (error) {
    return failed(error, display);
  } finally {
    closeSync(opened.fd);
  }
}

/** To its end, which may have moved since it was opened. */
function readAll({ fd, size }: OpenedPlace): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = Buffer.allocUnsafe(size + 1); ; chunk = Buffer.allocUnsafe(SMALL)) {
    const count = readSync(fd, chunk, 0, chunk.length, null);
    if (chunks.length === 0 && count === size) return chunk.subarray(0, count); // there was room for more
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
  }
}

const readSome: (fd: number, into: Buffer, at: number, length: number, from: null) => Promise<{ bytesRead: number }> =
  promisify(read);

/** By the thread pool, from the same descriptor; stops once past the limit. */
async function readLarge({ fd, size }: OpenedPlace, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    for (let chunk = Buffer.allocUnsafe(size + 1); total <= maxBytes; chunk = Buffer.allocUnsafe(SMALL)) {
      const { bytesRead } = await readSome(fd, chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      chunks.push(chunk.subarray(0, bytesRead));
      total += bytesRead;
      if (total === size && chunks.length === 1) break;
    }
    return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  } finally {
    closeSync(fd);
  }
}
