// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createPauses, type Pauses, sortWithPauses } from "./pauses.js";
import type { Resolver } from "./resolver.js";

/** An entry met on a walk. Links are entries, never followed (FS-92…94). */
export interface WalkEntry {
  readonly name: string;
  readonly real: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/**
 * Walks a folder depth first, names sorted, so that the order is the same each time. Blocked entries
 * are left out and blocked folders not entered (FS-14); folders that can't be read are passed over.
 *
 * @param enter - whether a folder is walked into
 */
export async function* walkFolder(
  resolver: Resolver,
  folder: string,
  enter: (entry: WalkEntry) => boolean,
  signal: AbortSignal,
): AsyncGenerator<WalkEntry> {
  signal.throwIfAborted();
  const pauses = createPauses(signal);
  const stack: Level[] = [{ entries: await entriesOf(resolver, folder, pauses), at: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const entry = level.entries[level.at++];
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    const pause = pauses();
    if (pause !== undefined) await pause;
    yield entry;
    if (entry.kind === "folder" && enter(entry))
      stack.push({ entries: await entriesOf(resolver, entry.real, pauses), at: 0 });
  }
}

/** A folder that is being walked, and how far. */
interface Level {
  readonly entries: readonly WalkEntry[];
  at: number;
}

/** One call a folder: its entries come with their kinds, so none is looked at by itself (06 §9). */
async function entriesOf(resolver: Resolver, folder: string, pauses: Pauses): Promise<readonly WalkEntry[]> {
  let found: Dirent[];
  try {
    found = await readdir(folder, { withFileTypes: true });
  } catch {
    return []; // unreadable or gone meanwhile
  }
  const entries: WalkEntry[] = [];
  const start = folder.endsWith(path.sep) ? folder : folder + path.sep;
  for (const one of found) {
    const real = start + one.name;
    if (resolver.blocked(real) === undefined) entries.push({ name: one.name, real, kind: kindOf(one) });
    const pause = pauses();
    if (pause !== undefined) await pause;
  }
  return await sortWithPauses(entries, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0), pauses);
}

function kindOf(found: Dirent): WalkEntry["kind"] {
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other";
}
