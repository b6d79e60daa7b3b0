// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Glob matching in time proportional to text × pattern; no pattern can make it slow. */

/** Whether `text` as a whole matches `pattern`: `*` is any text, `?` one character, all else itself. */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      retry = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++retry;
    } else return false;
  }
  while (p < pattern.length && pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether a pattern has a wildcard: what it covers is more than what it names. */
export function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
