// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { opendir } from "node:fs/promises";
import path from "node:path";
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
  const stack: WalkEntry[][] = [await entriesOf(resolver, folder)];
  let sinceYield = 0;
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const entry = level.shift();
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    if (++sinceYield % 512 === 0) {
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve)); // a long walk never holds the event loop
    }
    yield entry;
    if (entry.kind === "folder" && enter(entry)) stack.push(await entriesOf(resolver, entry.real));
  }
}

async function entriesOf(resolver: Resolver, folder: string): Promise<WalkEntry[]> {
  const entries: WalkEntry[] = [];
  try {
    for await (const found of await opendir(folder, { bufferSize: 256 })) {
      const real = path.join(folder, found.name);
      if (resolver.blocked(real) !== undefined) continue;
      const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other";
      entries.push({ name: found.name, real, kind });
    }
  } catch {
    // Unreadable or gone meanwhile: what was listed of it so far stands.
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
