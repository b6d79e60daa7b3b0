// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToOthers } from "node:timers/promises";

/** Finds names below roots, remembering directories between calls (SH-24a). */
export interface NameWalk {
  /**
   * Paths of entries whose name is blocked, roots in the order given; such directories, and `known`
   * ones, aren't entered.
   *
   * @throws the signal's reason when it aborts; what was read by then is kept
   */
  find(roots: readonly string[], known: ReadonlySet<string>, signal: AbortSignal): Promise<WalkResult>;
}

/** What a walk found; `isIncomplete` when it reached a limit. */
export interface WalkResult {
  readonly found: readonly string[];
  readonly isIncomplete: boolean;
}

/** What one reading of a directory said, and what told that reading from a later one. */
interface Listing {
  readonly stamp: string;
  /** Read so soon after its last change that a later change may have the same time. */
  readonly isFresh: boolean;
  readonly total: number;
  readonly blocked: readonly Entry[];
  readonly dirs: readonly Entry[];
}

interface Entry {
  readonly name: string;
  /** Position among all entries: those beyond the limit don't count. */
  readonly at: number;
}

const MAX_DEPTH = 12;
const NOT_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules", "vendor", "target", "__pycache__"]);
const FRESH_MS = 2_000;
const ENTRIES_PER_CHECK = 256;
const ENTRIES_PER_YIELD = 1_024;

/** A walk that has read nothing yet. */
export function createNameWalk(isBlocked: (name: string) => boolean, maxEntries: number): NameWalk {
  let known = new Map<string, Listing>();
  return {
    find: async (roots, notEntered, signal) => {
      const before = known;
      const read = new Map<string, Listing>();
      const walk = createRun({ isBlocked, maxEntries, notEntered, before, read, signal });
      try {
        for (const root of roots) await walk.visit(root, 0);
        known = read; // directories that are no longer walked are forgotten
        return walk.result();
      } catch (error) {
        known = new Map([...before, ...read]);
        throw error;
      }
    },
  };
}

interface RunDeps {
  readonly isBlocked: (name: string) => boolean;
  readonly maxEntries: number;
  readonly notEntered: ReadonlySet<string>;
  readonly before: ReadonlyMap<string, Listing>;
  readonly read: Map<string, Listing>;
  readonly signal: AbortSignal;
}

interface Run {
  visit(dir: string, depth: number): Promise<void>;
  result(): WalkResult;
}

function createRun({ isBlocked, maxEntries, notEntered, before, read, signal }: RunDeps): Run {
  const found: string[] = [];
  let entries = 0;
  let sinceCheck = 0;
  let sinceYield = 0;
  let isIncomplete = false;

  const count = async (added: number): Promise<void> => {
    entries += added;
    sinceCheck += added;
    sinceYield += added;
    if (sinceYield >= ENTRIES_PER_YIELD) {
      sinceYield = 0;
      await yieldToOthers();
    }
    if (sinceCheck >= ENTRIES_PER_CHECK) {
      sinceCheck = 0;
      signal.throwIfAborted();
    }
  };
  const visit = async (dir: string, depth: number): Promise<void> => {
    if (read.has(dir) || notEntered.has(dir) || entries >= maxEntries) return;
    const listing = list(dir, before.get(dir), isBlocked);
    if (listing === undefined) return;
    read.set(dir, listing);
    const room = maxEntries - entries;
    if (listing.total > room) isIncomplete = true;
    for (const { name, at } of listing.blocked) if (at < room) found.push(join(dir, name));
    await count(Math.max(1, Math.min(listing.total, room)));
    for (const { name, at } of listing.dirs) {
      if (at >= room) break;
      if (depth < MAX_DEPTH) await visit(join(dir, name), depth + 1);
      else isIncomplete = true;
    }
  };
  return { visit, result: () => ({ found, isIncomplete: isIncomplete || entries >= maxEntries }) };
}

/** The directory's listing, read again only if it changed. One that can't be read hides nothing a command could see. */
function list(dir: string, known: Listing | undefined, isBlocked: (name: string) => boolean): Listing | undefined {
  try {
    const { mtimeNs, ctimeNs, size, ino, mtimeMs } = lstatSync(dir, { bigint: true });
    const stamp = `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
    if (known !== undefined && !known.isFresh && known.stamp === stamp) return known;
    const isFresh = Date.now() - Number(mtimeMs) < FRESH_MS;
    const blocked: Entry[] = [];
    const dirs: Entry[] = [];
    const all = readdirSync(dir, { withFileTypes: true });
    for (const [at, entry] of all.entries()) {
      if (isBlocked(entry.name)) blocked.push({ name: entry.name, at });
      else if (entry.isDirectory() && !NOT_ENTERED.has(entry.name)) dirs.push({ name: entry.name, at });
    }
    return { stamp, isFresh, total: all.length, blocked, dirs };
  } catch {
    return undefined;
  }
}
