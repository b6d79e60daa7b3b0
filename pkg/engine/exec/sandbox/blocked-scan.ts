// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import picomatch from "picomatch";
import type { BlockedPaths } from "./bubblewrap.js";
import { createNameWalk } from "./name-walk.js";

/** What to look for (SH-24). */
export interface ScanSpec {
  readonly home: string;
  /** Blocked-path patterns as in FS-10. */
  readonly patterns: readonly string[];
  /** Entries looked at; 50,000 unless given. */
  readonly maxEntries?: number;
}

/** A scan's result; `isIncomplete` when it reached its limit. */
export interface ScanResult extends BlockedPaths {
  readonly isIncomplete: boolean;
}

const MAX_ENTRIES = 50_000;
/** Hiding these would keep every program from starting; a link that leads here hides nothing. */
const SYSTEM = /^\/(bin|sbin|lib|lib32|lib64|usr|dev|proc|sys|nix|System)(\/|$)|^\/$/;

/** Looks for what must be hidden from the next command; remembers directories between calls. */
export interface BlockedScan {
  /**
   * bubblewrap masks paths, not patterns. Links are followed to what they lead to; absent places are
   * passed over.
   *
   * @param roots - real paths: the workspace, other writable ones, read-only ones
   * @throws the signal's reason when it aborts
   */
  scan(roots: readonly string[], signal: AbortSignal): Promise<ScanResult>;
}

/** A scan for these patterns that has read nothing yet. */
export function createBlockedScan({ home, patterns, maxEntries = MAX_ENTRIES }: ScanSpec): BlockedScan {
  const walk = createNameWalk(matcherOf(patterns.filter((pattern) => !isPlace(pattern))), maxEntries);
  const placed = patterns.filter(isPlace);
  // What a blocked link led to stays hidden when a command takes the link away (T-SBX-1).
  const linked = new Set<string>();
  return {
    scan: async (roots, signal) => {
      signal.throwIfAborted();
      const places = placed.flatMap((pattern) => placePatterns(pattern, home, roots));
      const expanded = (await Promise.all(places.map(expandPlace))).flat();
      const { found, isIncomplete } = await walk.find(roots, new Set(expanded), signal);
      const named = [...expanded, ...found];
      for (const real of await Promise.all(named.map(linkTarget))) if (real !== undefined) linked.add(real);
      const targets = await realTargets([...named, ...linked], roots);
      const pinned = pinnedAbove([...(await Promise.all(expanded.map(realPlace))), ...linked], roots);
      return { ...split(targets), pinned, isIncomplete };
    },
  };
}

/** Files and directories, sorted, without what is inside a hidden directory. */
function split(targets: ReadonlyMap<string, boolean>): {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
} {
  const sorted = [...targets].sort(([a], [b]) => (a < b ? -1 : 1));
  const dirs: string[] = [];
  for (const [path, isDir] of sorted) if (isDir && !isUnder(path, dirs)) dirs.push(path);
  return { dirs, files: sorted.filter(([path, isDir]) => !isDir && !isUnder(path, dirs)).map(([path]) => path) };
}

function isUnder(path: string, dirs: readonly string[]): boolean {
  return dirs.some((dir) => path.startsWith(`${dir}/`));
}

function isPlace(pattern: string): boolean {
  return /[/\\]/.test(pattern.replace(/[/\\]+$/, "")) || pattern.startsWith("~");
}

/** Absolute patterns for one that names a place: below every root when it is relative. */
function placePatterns(pattern: string, home: string, roots: readonly string[]): readonly string[] {
  const trimmed = pattern.replace(/\/+$/, "");
  if (trimmed === "~" || trimmed.startsWith("~/")) return [escapeGlob(home) + trimmed.slice(1)];
  return trimmed.startsWith("/") ? [trimmed] : roots.map((root) => `${escapeGlob(root)}/${trimmed}`);
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}()!+@\\]/g, "\\$&");
}

/** Existing paths a place pattern stands for: one directory level a segment. */
async function expandPlace(pattern: string): Promise<readonly string[]> {
  let found: readonly string[] = ["/"];
  for (const segment of pattern.split("/").filter((part) => part !== "")) {
    const next = await Promise.all(found.map((dir) => expandSegment(dir, segment)));
    found = next.flat();
  }
  return found.filter((path) => path !== "/");
}

async function expandSegment(dir: string, segment: string): Promise<readonly string[]> {
  const plain = picomatch.scan(segment).isGlob ? undefined : segment.replace(/\\(.)/g, "$1");
  if (plain === ".." || plain === ".") return [resolve(dir, plain)];
  if (plain !== undefined) {
    const path = join(dir, plain);
    return (await lstat(path).catch(() => undefined)) === undefined ? [] : [path];
  }
  const matches = picomatch(segment, { dot: true });
  return (await listed(dir)).filter(({ name }) => matches(name)).map(({ name }) => join(dir, name));
}

async function listed(dir: string): Promise<readonly Dirent[]> {
  // A directory that can't be read can't be read by the command either.
  return readdir(dir, { withFileTypes: true }).catch(() => []);
}

function matcherOf(names: readonly string[]): (name: string) => boolean {
  const matchers = names.map((name) => picomatch(name.replace(/[/\\]+$/, ""), { dot: true, nonegate: true }));
  return (name) => matchers.some((matches) => matches(name));
}

/** What the paths lead to, and whether that is a directory; without what can't be hidden. */
async function realTargets(paths: readonly string[], roots: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const targets = new Map<string, boolean>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || SYSTEM.test(real)) continue;
    if (roots.some((root) => root === real || root.startsWith(`${real}/`))) continue;
    const stats = await lstat(real).catch(() => undefined);
    if (stats !== undefined) targets.set(real, stats.isDirectory());
  }
  return targets;
}

/** Where a link leads; `undefined` when the path is no link, or leads nowhere. */
async function linkTarget(path: string): Promise<string | undefined> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  return isLink ? await realpath(path).catch(() => undefined) : undefined; // dangling: nothing to hide yet
}

/** The place itself, under the real name of the directory it is in. */
async function realPlace(path: string): Promise<string> {
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

/** Directories between a root and a blocked place, deepest last. */
function pinnedAbove(places: readonly string[], roots: readonly string[]): readonly string[] {
  const pinned = new Set<string>();
  for (const place of places) {
    const root = roots.filter((dir) => place.startsWith(`${dir}${sep}`)).sort((a, b) => b.length - a.length)[0];
    if (root === undefined) continue;
    const parts = place.slice(root.length + 1).split(sep);
    for (let i = 1; i < parts.length; i++) pinned.add(join(root, ...parts.slice(0, i)));
  }
  return [...pinned].sort();
}
