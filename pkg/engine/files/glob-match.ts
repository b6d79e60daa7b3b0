// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** How a glob is read. */
export interface GlobOptions {
  readonly ignoreCase: boolean;
  /** `[a-c]` and `[!a-c]` are classes; without, brackets are literal. */
  readonly classes?: boolean;
}

/** Matches one character; `"*"` any run of them. */
type Token = "*" | ((char: string) => boolean);

/** A segment's tokens; `"**"` any run of segments. */
type Segment = "**" | readonly Token[];

/**
 * Compiles a glob over whole paths with `/`: `*` and `?` stay within a segment, a segment `**` crosses
 * them and may be empty (FS-11). No other character is special. Matching takes at most
 * length × pattern steps, so that no pattern can hang the engine (T-FS-2).
 */
export function compileGlobPath(pattern: string, options: GlobOptions): (path: string) => boolean {
  const segments = pattern.split("/").map((one): Segment => (one === "**" ? "**" : tokensOf(one, options)));
  const fits = (segment: Segment | undefined, part: string): boolean =>
    segment !== undefined && segment !== "**" && matchesSegment(segment, part);
  return (path) => matchesRun(segments, folded(path, options).split("/"), (one) => one === "**", fits);
}

/** Compiles a glob over one name. */
export function compileGlobName(pattern: string, options: GlobOptions): (name: string) => boolean {
  const tokens = tokensOf(pattern, options);
  // Most names end the question at the pattern's literal start or end.
  const [start = "", ...rest] = folded(pattern, options).split(/[*?[]/);
  const end = rest.length > 0 && !pattern.includes("[") ? (rest.at(-1) ?? "") : "";
  return (name) => {
    const text = folded(name, options);
    return text.startsWith(start) && text.endsWith(end) && matchesSegment(tokens, text);
  };
}

function folded(text: string, { ignoreCase }: GlobOptions): string {
  return ignoreCase ? text.toLowerCase() : text;
}

function matchesSegment(tokens: readonly Token[], name: string): boolean {
  const fits = (token: Token | undefined, char: string): boolean => token !== undefined && token !== "*" && token(char);
  return matchesRun(tokens, [...name], (token) => token === "*", fits);
}

/**
 * Whether items match a pattern whose stars stand for any run of items. Only the last star is ever
 * taken up again: what an earlier one could take instead, the last one can as well.
 */
function matchesRun<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (one: P | undefined) => boolean,
  fits: (one: P | undefined, item: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let item = 0; item < items.length; ) {
    if (at < pattern.length && isStar(pattern[at])) {
      star = at++;
      taken = item;
    } else if (at < pattern.length && fits(pattern[at], items[item] as T)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++taken;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at])) at++;
  return at === pattern.length;
}

function tokensOf(segment: string, options: GlobOptions): readonly Token[] {
  const chars = [...folded(segment, options)];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const end = options.classes === true && char === "[" ? chars.indexOf("]", at + 2) : -1;
    if (end > 0) {
      tokens.push(classOf(chars.slice(at + 1, end)));
      at = end;
    } else if (char === "*") tokens.push("*");
    else if (char === "?") tokens.push(() => true);
    else tokens.push((one) => one === char);
  }
  return tokens;
}

/** `a-z`, single characters, and `!` or `^` for all others. */
function classOf(inside: readonly string[]): (char: string) => boolean {
  const negated = inside.length > 1 && (inside[0] === "!" || inside[0] === "^");
  const chars = negated ? inside.slice(1) : inside;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at++) {
    const from = chars[at] ?? "";
    const to = chars[at + 2];
    if (chars[at + 1] === "-" && to !== undefined) {
      ranges.push([from, to]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== negated;
}
