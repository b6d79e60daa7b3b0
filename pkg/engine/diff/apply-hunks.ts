// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Hunk, HunkLine } from "./parse-patch.js";

/** The patched text, or which hunk didn't fit and what it looked for (FS-52). */
export type PatchResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** The passes of a search: exact, then ignoring trailing, then surrounding blanks. */
const PASSES: readonly ((line: string) => string)[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()];

/** A text as lines without their ends, and which of them ended in CRLF. */
interface Lines {
  readonly texts: string[];
  readonly crlf: boolean[];
}

/** Where the hunk before was put. */
interface Range {
  readonly start: number;
  readonly after: number;
}

/** By how many lines a hunk moved what comes after it in the old file. */
interface Move {
  readonly oldStart: number;
  readonly by: number;
}

/**
 * Applies hunks to a text. One that fits exactly where it is expected goes there. Else it is searched from
 * after the one before, nearest to where it is expected, exactly first and then with blanks ignored; then
 * once more from the top (FS-52). Lines that are kept
 * stay as the file has them, line ends included, also mixed ones; new lines end like the line they
 * replace or follow (FS-103). The state of the final newline is kept unless the patch says otherwise.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): PatchResult {
  const lines = linesOf(text);
  let last: Range = { start: 0, after: 0 };
  const moves: Move[] = [];
  let bare = text !== "" && !text.endsWith("\n");
  for (const [number, hunk] of hunks.entries()) {
    const start = locate(lines.texts, hunk, last, hintOf(hunk, moves));
    if (typeof start === "string")
      return { ok: false, problem: `hunk ${number + 1} (line ${hunk.at} of the patch): ${start}` };
    const { removed, put } = replacement(lines, hunk, start);
    lines.texts.splice(start, removed, ...put.texts);
    lines.crlf.splice(start, removed, ...put.crlf);
    last = { start, after: start + put.texts.length };
    moves.push({ oldStart: hunk.oldStart ?? 0, by: put.texts.length - removed });
    if (last.after === lines.texts.length) bare = hunk.newEndsBare ? true : hunk.oldEndsBare ? false : bare;
  }
  return { ok: true, text: joined(lines, bare) };
}

function linesOf(text: string): Lines {
  const texts = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const last = texts.length - 1;
  const bare = !text.endsWith("\n");
  const crlf = texts.map((line, at) => line.endsWith("\r") && !(bare && at === last));
  // A last line without an end would get the one of the line before it.
  if (bare && last > 0) crlf[last] = crlf[last - 1] === true;
  return {
    texts: texts.map((line, at) => (crlf[at] === true && line.endsWith("\r") ? line.slice(0, -1) : line)),
    crlf,
  };
}

function joined({ texts, crlf }: Lines, bare: boolean): string {
  const last = texts.length - 1;
  return texts.map((line, at) => (bare && at === last ? line : line + (crlf[at] === true ? "\r\n" : "\n"))).join("");
}

function oldLines(hunk: Hunk): readonly HunkLine[] {
  return hunk.lines.filter((line) => line.op !== "+");
}

/** The 0-based line a hunk is expected at: hunks may come in any order, so only those above it moved it. */
function hintOf(hunk: Hunk, moves: readonly Move[]): number | undefined {
  const { oldStart } = hunk;
  if (oldStart === undefined) return undefined;
  const first = oldLines(hunk).length === 0 ? oldStart + 1 : oldStart; // "-a,0" means after line a
  return moves.reduce((at, move) => (move.oldStart < first ? at + move.by : at), first - 1);
}

/** The 0-based line a hunk begins at, or why there is none. */
function locate(
  lines: readonly string[],
  hunk: Hunk,
  { start, after }: Range,
  hint: number | undefined,
): number | string {
  const from = hunk.anchor === undefined ? after : anchorLine(lines, hunk.anchor, after);
  if (from === undefined) return `the line "${hunk.anchor}" was not found`;
  const wanted = oldLines(hunk).map((line) => line.text);
  if (wanted.length === 0) return insertionPoint(lines, hunk, from, hint);
  if (hint !== undefined && hint >= 0 && (hint >= after || hint + wanted.length <= start)) {
    if (wanted.every((line, offset) => lines[hint + offset] === line)) return hint;
  }
  const found = search(lines, wanted, from, hint) ?? (from > 0 ? search(lines, wanted, 0, hint) : undefined);
  return found ?? `these lines were not found:\n${wanted.slice(0, 8).join("\n")}`;
}

/** A pure insertion goes to the hinted line, after the anchor, or at the end. */
function insertionPoint(lines: readonly string[], hunk: Hunk, from: number, hint: number | undefined): number {
  if (hint !== undefined) return Math.min(Math.max(0, hint), lines.length);
  return hunk.anchor === undefined ? lines.length : from;
}

function anchorLine(lines: readonly string[], anchor: string, after: number): number | undefined {
  for (const start of after > 0 ? [after, 0] : [0]) {
    const rest = lines.slice(start);
    const equal = rest.findIndex((line) => line.trim() === anchor);
    const at = equal >= 0 ? equal : rest.findIndex((line) => line.includes(anchor));
    if (at >= 0) return start + at + 1;
  }
  return undefined;
}

function search(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  hint: number | undefined,
): number | undefined {
  for (const pass of PASSES) {
    const looked = lines.map(pass);
    const target = wanted.map(pass);
    let best: number | undefined;
    for (let at = from; at + target.length <= looked.length; at++) {
      if (!target.every((line, offset) => looked[at + offset] === line)) continue;
      if (hint === undefined) return at;
      if (best === undefined || Math.abs(at - hint) < Math.abs(best - hint)) best = at;
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

/** What is put in the place of the old lines; context keeps the file's own spelling. */
function replacement(
  { texts, crlf }: Lines,
  hunk: Hunk,
  start: number,
): { readonly removed: number; readonly put: Lines } {
  const put: Lines = { texts: [], crlf: [] };
  let at = start;
  for (const line of hunk.lines) {
    const old = line.op === "+" ? Math.max(at - 1, 0) : at;
    if (line.op !== "-") {
      put.texts.push(line.op === "+" ? line.text : (texts[at] ?? line.text));
      // Lines put in where others were taken out end like those, else like the line before.
      put.crlf.push(crlf[old] ?? crlf.at(-1) ?? false);
    }
    if (line.op !== "+") at++;
  }
  return { removed: at - start, put };
}
