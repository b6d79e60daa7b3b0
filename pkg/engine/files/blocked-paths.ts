// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { compileGlobName, compileGlobPath } from "./glob-match.js";

/** Paths that are neither read nor written, whatever is approved (FS-10). */
export interface BlockedPaths {
  /** The pattern that covers an absolute path, with everything beneath what it names. */
  match(absolute: string): string | undefined;
}

/** What patterns are read against. */
export interface BlockedPlaces {
  readonly home: string;
  readonly roots: readonly string[];
  /** True on macOS and Windows (FS-12). */
  readonly ignoreCase: boolean;
  /** Links of absolute patterns resolved, where they resolve. */
  readonly resolve: (path: string) => string;
}

/** A pattern with wildcards and what it asks. */
interface Test {
  readonly pattern: string;
  readonly test: (text: string) => boolean;
}

/** Verdicts of folders kept; a walk asks about each folder once for every entry. */
const MOST_FOLDERS: number = 4_096;

/** @throws Error for a pattern with `"` or a newline in it (FS-11) */
export function compileBlocked(patterns: readonly string[], places: BlockedPlaces): BlockedPaths {
  const { ignoreCase } = places;
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const names = new Map<string, string>();
  const nameTests: Test[] = [];
  const paths = new Map<string, string>();
  const pathTests: Test[] = [];
  for (const pattern of patterns) {
    if (/["\n]/.test(pattern))
      throw new Error(`a blocked path can't hold a quote or a newline: ${JSON.stringify(pattern)}`);
    const clean = pattern.replace(/\/+$/, "");
    if (clean === "") continue;
    const wild = /[*?]/.test(clean);
    if (!clean.includes("/") && clean !== "~") {
      if (wild) nameTests.push({ pattern, test: compileGlobName(clean, { ignoreCase }) });
      else names.set(fold(clean), pattern);
      continue;
    }
    for (const place of placesOf(clean, places)) {
      if (wild) pathTests.push({ pattern, test: compileGlobPath(place, { ignoreCase }) });
      else paths.set(fold(place), pattern);
    }
  }

  /** Whether a pattern names this very path; those above it are asked on their own. */
  const named = (absolute: string): string | undefined => {
    const name = fold(path.basename(absolute));
    const found = names.get(name) ?? nameTests.find((one) => one.test(name))?.pattern;
    if (found !== undefined || (paths.size === 0 && pathTests.length === 0)) return found;
    const unix = path.sep === "/" ? absolute : absolute.split(path.sep).join("/");
    return paths.get(fold(unix)) ?? pathTests.find((one) => one.test(unix))?.pattern;
  };
  const folders = new Map<string, string | undefined>();
  const covers = (absolute: string): string | undefined => {
    const parent = path.dirname(absolute);
    if (parent === absolute) return named(absolute);
    if (!folders.has(parent)) {
      const verdict = covers(parent);
      if (folders.size >= MOST_FOLDERS) folders.clear();
      folders.set(parent, verdict);
    }
    return folders.get(parent) ?? named(absolute);
  };
  return { match: covers };
}

function placesOf(pattern: string, { home, roots, resolve }: BlockedPlaces): readonly string[] {
  const unix = (place: string): string => place.split(path.sep).join("/");
  if (pattern === "~" || pattern.startsWith("~/")) {
    const place = path.join(home, pattern.slice(1));
    return [...new Set([place, path.join(resolve(home), pattern.slice(1)), resolve(place)].map(unix))];
  }
  if (path.isAbsolute(pattern)) return [...new Set([pattern, resolve(pattern)].map(unix))];
  return roots.map((root) => unix(path.join(root, pattern)));
}
