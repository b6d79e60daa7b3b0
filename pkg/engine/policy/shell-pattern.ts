// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { RE2JS } from "re2js";

/** A command as patterns see it: its words, those expanded at run time as they are written. */
export interface CommandText {
  readonly words: readonly string[];
  /** The words joined by single blanks. */
  readonly text: string;
}

/** A compiled pattern (SH-11). */
export interface ShellPattern {
  readonly source: string;
  readonly covers: (command: CommandText) => boolean;
}

/**
 * Compiles a pattern: plain words are that command with any arguments; with `*` or `?` it is a glob over
 * the whole, where a trailing ` *` may also be nothing; `re:` is an RE2 expression over the whole.
 *
 * @returns undefined for a blank pattern
 * @throws RE2JSException when the expression doesn't compile
 */
export function compileShellPattern(source: string): ShellPattern | undefined {
  const pattern = source.trim();
  if (pattern === "") return undefined;
  return { source: pattern, covers: coverage(pattern) };
}

/** Whether one of the patterns covers the command, or the command by its program's base name (deny and ask only). */
export function coveredBy(
  patterns: readonly ShellPattern[],
  command: CommandText,
  byBaseName: boolean,
): ShellPattern | undefined {
  const found = patterns.find(({ covers }) => covers(command));
  const [name = "", ...rest] = command.words;
  if (found !== undefined || !byBaseName || !name.includes("/")) return found;
  const words = [name.slice(name.lastIndexOf("/") + 1), ...rest];
  return patterns.find(({ covers }) => covers({ words, text: words.join(" ") }));
}

function coverage(pattern: string): (command: CommandText) => boolean {
  if (pattern.startsWith("re:")) {
    const expression = RE2JS.compile(pattern.slice("re:".length), RE2JS.DOTALL);
    return ({ text }) => expression.matches(text);
  }
  if (!/[*?]/.test(pattern)) {
    const words = pattern.split(/\s+/);
    return (command) => words.every((word, i) => command.words[i] === word);
  }
  const bare = pattern.endsWith(" *") ? pattern.slice(0, -2) : undefined;
  return ({ text }) => globMatches(pattern, text) || (bare !== undefined && globMatches(bare, text));
}

/** `*` is any text, `?` one character; linear in text × pattern. */
function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let star = -1;
  let retry = 0;
  for (let t = 0; t < text.length; ) {
    const wanted = pattern[p];
    if (wanted === "*") {
      star = p++;
      retry = t;
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++retry;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(p));
}
