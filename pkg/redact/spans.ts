// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What a masked secret reads as. */
export const MASK: string = "[REDACTED]";

/** A run of characters to mask. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A credential shape: a literal that is looked for first, then a bounded, sticky match from there (RED-05). */
interface Shape {
  readonly prefix: string;
  /** Sticky; begins at the prefix. Every count in it is bounded, so a match is linear. */
  readonly match: RegExp;
  /** Whether the prefix must begin a word. */
  readonly word: boolean;
}

/** Longest secret looked at; the rest of a longer one is masked by the span that follows. */
const SHAPES: readonly Shape[] = [
  { prefix: "AKIA", match: /AKIA[0-9A-Z]{16}(?![0-9A-Za-z_])/y, word: true },
  { prefix: "sk-", match: /sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,512}/y, word: true },
  { prefix: "AIza", match: /AIza[0-9A-Za-z_-]{35}/y, word: true },
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => ({
    prefix,
    match: new RegExp(`${prefix}[A-Za-z0-9]{30,512}`, "y"),
    word: true,
  })),
  { prefix: "github_pat_", match: /github_pat_[A-Za-z0-9_]{40,512}/y, word: true },
  ...["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"].map((prefix) => ({
    prefix,
    match: new RegExp(`${prefix}[A-Za-z0-9-]{10,512}`, "y"),
    word: true,
  })),
  { prefix: "eyJ", match: /eyJ[A-Za-z0-9_-]{5,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/y, word: true },
];

const WORD: RegExp = /[A-Za-z0-9_]/;

/** Spans of the known credential shapes (RED-01). */
export function shapeSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { prefix, match, word } of SHAPES) {
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      if (word && at > 0 && WORD.test(text.charAt(at - 1))) continue;
      match.lastIndex = at;
      const found = match.exec(text);
      if (found === null) continue;
      spans.push({ from: at, to: at + found[0].length });
      at += found[0].length - 1;
    }
  }
  return [...spans, ...pemSpans(text)];
}

/** From a `BEGIN … PRIVATE KEY` line to the next matching `END`, or to the end of the text. */
function pemSpans(text: string): Span[] {
  const spans: Span[] = [];
  const begin = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----/y;
  for (let at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
    begin.lastIndex = at;
    const found = begin.exec(text);
    if (found === null) continue;
    const end = `-----END ${found[1]}-----`;
    const close = text.indexOf(end, at);
    const to = close < 0 ? text.length : close + end.length;
    spans.push({ from: at, to });
    at = to - 1;
  }
  return spans;
}

const KEYWORDS: readonly string[] = [
  "password",
  "passwd",
  "secret",
  "api_key",
  "api-key",
  "apikey",
  "access_key",
  "access-key",
  "accesskey",
  "token",
];
const AFTER_NAME: RegExp = /[A-Za-z0-9_.-]{0,64}["']?\s{0,8}[:=]\s{0,8}["']?/y;
const VALUE: RegExp = /[^\s"',;]{6,8192}/y;

/** Whether a name is one whose value is a secret (RED-02). */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return KEYWORDS.some((word) => lower.includes(word));
}

/** Spans of values assigned to secret-like names (RED-02): only the value is masked. */
export function assignmentSpans(text: string): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  for (const word of KEYWORDS) {
    let from = 0;
    for (let at = lower.indexOf(word, from); at >= 0; at = lower.indexOf(word, from)) {
      from = at + word.length;
      AFTER_NAME.lastIndex = from;
      const separator = AFTER_NAME.exec(text);
      if (separator === null) continue;
      VALUE.lastIndex = from + separator[0].length;
      const value = VALUE.exec(text);
      if (value === null) continue;
      from = value.index + value[0].length; // what is masked isn't looked at again: that keeps it linear
      spans.push({ from: value.index, to: from });
    }
  }
  return spans;
}

/** Spans of exact values, longest first, those under 8 characters ignored (RED-03). */
export function valueSpans(text: string, values: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const value of values) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      spans.push({ from: at, to: at + value.length });
    }
  }
  return spans;
}

/** The text with every span masked; overlapping ones become one mask. */
export function masked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = [...spans].sort((a, b) => a.from - b.from || b.to - a.to);
  const out: string[] = [];
  let at = 0;
  for (const { from, to } of sorted) {
    if (to <= at) continue;
    if (from >= at) out.push(text.slice(at, from), MASK);
    at = to;
  }
  out.push(text.slice(at));
  return out.join("");
}
