// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { globMatches, hasWildcard } from "./glob.js";

/** Where relative and `~` path patterns start, and whether letters' case counts on this system. */
export interface RulePlaces {
  /** Absolute path. */
  readonly workspace: string;
  /** Absolute path. */
  readonly home: string;
  /** True on macOS and Windows. */
  readonly ignoreCase: boolean;
}

/** A path pattern, compiled. */
export interface PathPattern {
  /** Whether the target matches, or lies beneath something that does. */
  covers(target: string): boolean;
  /** Whether the pattern is this very path, reached by no wildcard and no folder above (FS-102). */
  names(target: string): boolean;
}

interface Segment {
  readonly text: string;
  /** False for the workspace's and home's own folders: a `*` in their names is a character. */
  readonly glob: boolean;
}

/**
 * Compiles a path pattern (APR-54): `*` and `?` stay within a segment, `**` crosses them, and a match
 * covers all that lies beneath. `docs/**` is what is under `docs`; `docs/` and `docs` are the folder too.
 */
export function compilePathPattern(pattern: string, places: RulePlaces): PathPattern {
  if (pattern === "*" || pattern === "**") return { covers: () => true, names: () => false };
  const segments = patternSegments(pattern, places).map(({ text, glob }) => ({ text: fold(text, places), glob }));
  const pathOf = (target: string): readonly string[] =>
    plainSegments(fold(isAbsolute(target) ? target : `${places.workspace}/${target}`, places));
  const literal = hasWildcard(pattern) ? undefined : segments.map(({ text }) => text).join("/");
  return {
    covers: (target) => coversPath(segments, pathOf(target)),
    names: (target) => pathOf(target).join("/") === literal,
  };
}

function patternSegments(pattern: string, places: RulePlaces): readonly Segment[] {
  const glob = (text: string): Segment[] => plainSegments(text).map((part) => ({ text: part, glob: true }));
  const literal = (text: string): Segment[] => plainSegments(text).map((part) => ({ text: part, glob: false }));
  if (isAbsolute(pattern)) return glob(pattern);
  if (pattern === "~" || pattern.startsWith("~/"))
    return resolved([...literal(places.home), ...rawGlob(pattern.slice(1))]);
  return resolved([...literal(places.workspace), ...rawGlob(pattern)]);
}

function rawGlob(text: string): Segment[] {
  return text
    .split(/[/\\]/)
    .filter((part) => part !== "" && part !== ".")
    .map((part) => ({ text: part, glob: true }));
}

function resolved(segments: readonly Segment[]): readonly Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    if (segment.glob && segment.text === "..") out.pop();
    else out.push(segment);
  }
  return out;
}

function plainSegments(path: string): string[] {
  const out: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    if (part === "..") out.pop();
    else out.push(part);
  }
  return out;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\") || /^[A-Za-z]:[/\\]/.test(path);
}

function fold(text: string, places: RulePlaces): string {
  return places.ignoreCase ? text.toLowerCase() : text;
}

/** Whether the pattern matches the path or a folder above it. One row of a table a segment, so `**` can't explode. */
function coversPath(pattern: readonly Segment[], path: readonly string[]): boolean {
  let reached = new Set<number>([0]);
  if (pattern.length === 0) return true;
  for (const name of path) {
    const next = new Set<number>();
    for (const start of reached) step(pattern, start, name, next);
    if (next.has(pattern.length)) return true;
    reached = next;
  }
  return false;
}

function step(pattern: readonly Segment[], at: number, name: string, next: Set<number>): void {
  const segment = pattern[at];
  if (segment === undefined) return;
  if (segment.glob && segment.text === "**") {
    next.add(at);
    if (at === pattern.length - 1) next.add(pattern.length);
    else step(pattern, at + 1, name, next);
  } else if (segment.glob ? globMatches(segment.text, name) : segment.text === name) next.add(at + 1);
}
