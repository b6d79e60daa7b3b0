// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import path from "node:path";
import { type FileProblem, failed, problem } from "./file-problem.js";
import { type FileContent, readOpened, readPlace, statOpened } from "./read-place.js";
import { isInside, type Resolver, type Root } from "./resolver.js";
import type { WalkEntry } from "./walk-folder.js";

/** Reads the entries of a walk, many files of a folder one after the other. Closed by its user. */
export interface EntryReader {
  /** A regular file's content: at once when it is small, so that tens of thousands can be read in a second. */
  read(entry: WalkEntry, maxBytes: number): FileContent | FileProblem | Promise<FileContent | FileProblem>;
  close(): void;
}

/** A folder that is open and proven to be the one named. */
interface OpenFolder {
  readonly dir: string;
  readonly fd: number;
}

/**
 * A reader of walks' entries. On Linux a folder is proven once and its files are opened below its
 * descriptor, so none can lead elsewhere, whatever happens to the folder's name meanwhile (FS-90).
 * Elsewhere each file is proven by itself.
 */
export function createEntryReader(resolver: Resolver, roots: readonly Root[]): EntryReader {
  let folder: OpenFolder | undefined;
  const close = (): void => {
    if (folder !== undefined) closeSync(folder.fd);
    folder = undefined;
  };
  return {
    close,
    read: (entry, maxBytes) => {
      const display = resolver.display(entry.real);
      const dir = path.dirname(entry.real);
      try {
        if (folder?.dir !== dir) {
          close();
          const root = roots.find((one) => isInside(dir, one.dir) || entry.real === one.dir);
          if (root === undefined) return problem("OUTSIDE_WORKSPACE", `${display} is outside the workspace`);
          const opened = openFolder(dir);
          if (opened === undefined)
            return readPlace({ ok: true, real: entry.real, display, exists: true, isLink: false, root }, maxBytes);
          if (opened === "other") return problem("CHANGED", `${display} was moved while it was opened; try again`);
          folder = opened;
        }
        const name = `/proc/self/fd/${folder.fd}/${path.basename(entry.real)}`;
        const fd = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
        const file = statOpened(fd, display);
        return file.ok ? readOpened(file, display, maxBytes) : file;
      } catch (error) {
        return failed(error, display);
      }
    },
  };
}

/** `undefined` where descriptors have no paths to open below; `"other"` when it isn't the folder named any more. */
function openFolder(dir: string): OpenFolder | "other" | undefined {
  if (process.platform !== "linux") return undefined;
  const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const real = placeOf(fd);
  if (real === dir) return { dir, fd };
  closeSync(fd);
  return real === undefined ? undefined : "other";
}

function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // no /proc here
  }
}
