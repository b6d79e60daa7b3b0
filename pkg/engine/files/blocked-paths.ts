// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import picomatch from "picomatch";

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

/** @throws Error for a pattern with `"` or a newline in it (FS-11) */
export function compileBlocked(patterns: readonly string[], places: BlockedPlaces): BlockedPaths {
  const names = new Map<string, string>();
  const globs: { readonly pattern: string; readonly test: (path: string) => boolean }[] = [];
  const fold = (text: string): string => (places.ignoreCase ? text.toLowerCase() : text);
  for (const pattern of patterns) {
    if (/["\n]/.test(pattern))
      throw new Error(`a blocked path can't hold a quote or a newline: ${JSON.stringify(pattern)}`);
    const clean = pattern.replace(/\/+$/, "");
    if (clean === "") continue;
    if (!clean.includes("/") && !/[*?[\]{}!()]/.test(clean)) names.set(fold(clean), pattern);
    else for (const glob of globsOf(clean, places)) globs.push({ pattern, test: matcher(glob, places.ignoreCase) });
  }
  const nameGlobs = globs.length;
  return {
    match: (absolute) => {
      const parts = absolute.split(path.sep);
      for (const part of parts) {
        const named = names.get(fold(part));
        if (named !== undefined) return named;
      }
      if (nameGlobs === 0) return undefined;
      // Each pattern covers the path and everything beneath it, so every ancestor is asked as well.
      for (let length = parts.length; length > 1; length--) {
        const ancestor = parts.slice(0, length).join("/");
        const found = globs.find((glob) => glob.test(ancestor));
        if (found !== undefined) return found.pattern;
      }
      return undefined;
    },
  };
}

function globsOf(pattern: string, { home, roots, resolve }: BlockedPlaces): string[] {
  if (pattern === "~" || pattern.startsWith("~/")) {
    const place = path.join(home, pattern.slice(1));
    return [...new Set([place, path.join(resolve(home), pattern.slice(1)), resolve(place)])];
  }
  if (path.isAbsolute(pattern)) return [...new Set([pattern, resolve(pattern)])];
  if (!pattern.includes("/")) return [`/**/${pattern}`];
  return roots.map((root) => path.join(root, pattern));
}

function matcher(glob: string, ignoreCase: boolean): (path: string) => boolean {
  if (!/[*?]/.test(glob)) {
    const wanted = ignoreCase ? glob.toLowerCase() : glob;
    return (candidate) => (ignoreCase ? candidate.toLowerCase() : candidate) === wanted;
  }
  return picomatch(glob, {
    dot: true,
    nocase: ignoreCase,
    nobrace: true,
    noext: true,
    nobracket: true,
    nonegate: true,
  });
}
