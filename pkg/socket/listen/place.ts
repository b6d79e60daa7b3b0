// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, lstatSync, mkdirSync, type Stats, statSync, unlinkSync } from "node:fs";
import path from "node:path";
import { ListenError } from "./listen-error.js";

const STICKY = 0o1000;

/**
 * Makes the socket's directory, or makes it private (0700) if it was there: whoever can't enter it can't connect.
 * A directory shared by everybody, such as `/tmp` or `/`, and another user's are refused instead of being closed to others.
 */
export function makePrivateDir(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const info = statSync(dir);
  const isRoot = path.dirname(dir) === dir;
  const isShared = isRoot || (info.mode & STICKY) !== 0 || info.uid !== process.getuid?.();
  if (isShared) throw new ListenError("failed", `${dir} isn't yours alone; the socket needs a directory of its own`);
  chmodSync(dir, 0o700);
}

/**
 * Removes a socket nobody listens on, if there is one.
 *
 * @throws ListenError `not-a-socket` when another kind of file is there; it is kept
 */
export function removeStaleSocket(file: string): void {
  const info = lookAt(file);
  if (info === undefined) return;
  if (!info.isSocket()) throw new ListenError("not-a-socket", `${file} exists and isn't a socket`);
  unlinkSync(file);
}

/** Tells a file from another that has its name later. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** What is at a path now, a link not followed; undefined when nothing is. */
export function lookAt(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}

/** Removes the file at a path if it is still the same one. Never throws: it runs while stopping. */
export function removeOwn(file: string, own: FileIdentity): void {
  try {
    const now = lookAt(file);
    if (now?.ino === own.ino && now.dev === own.dev) unlinkSync(file);
  } catch {
    // Its directory is gone or closed: the next start treats what is left as a stale socket.
  }
}
