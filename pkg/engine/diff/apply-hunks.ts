// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Hunk, HunkLine } from "./parse-patch.js";

/** The patched text, or which hunk didn't fit and what it looked for (FS-52). */
export type PatchResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** The passes of a search: exact, then ignoring trailing, then surrounding blanks. */
const PASSES: readonly ((line: string) => string)[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()];

/**
 * Applies hunks to a text with `\n` line ends. Each is searched from after the one before, nearest to
 * where it is expected, exactly first and then with blanks ignored; then once more from the top
 * (FS-52). Lines that are kept stay as the file has them. The state of the final newline is kept
 * unless the patch says otherwise.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): PatchResult {
  const endsBare = text !== "" && !text.endsWith("\n");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  let after = 0;
  let drift = 0;
  let bare = endsBare;
  for (const [number, hunk] of hunks.entries()) {
    const place = locate(lines, hunk, after, drift);
    if (typeof place === "string")
      return { ok: false, problem: `hunk ${number + 1} (line ${hunk.at} of the patch): ${place}` };
    const { start, removed, put } = replacement(lines, hunk, place);
    lines.splice(start, removed, ...put);
    after = start + put.length;
    drift += put.length - removed;
    if (after === lines.length) bare = hunk.newEndsBare ? true : hunk.oldEndsBare ? false : bare;
  }
  if (lines.length === 0) return { ok: true, text: "" };
  return { ok: true, text: `${lines.join("\n")}${bare ? "" : "\n"}` };
}

function oldLines(hunk: Hunk): readonly HunkLine[] {
  return hunk.lines.filter((line) => line.op !== "+");
}

/** The 0-based line a hunk begins at, or why there is none. */
function locate(lines: readonly string[], hunk: Hunk, after: number, drift: number): number | string {
  const from = hunk.anchor === undefined ? after : anchorLine(lines, hunk.anchor, after);
  if (from === undefined) return `the line "${hunk.anchor}" was not found`;
  const wanted = oldLines(hunk).map((line) => line.text);
  if (wanted.length === 0) return insertionPoint(lines, hunk, from, drift);
  const hint = hunk.oldStart === undefined ? undefined : hunk.oldStart - 1 + drift;
  const found = search(lines, wanted, from, hint) ?? (from > 0 ? search(lines, wanted, 0, hint) : undefined);
  return found ?? `these lines were not found:\n${wanted.slice(0, 8).join("\n")}`;
}

/** A pure insertion goes to the hinted line, after the anchor, or at the end. */
function insertionPoint(lines: readonly string[], hunk: Hunk, from: number, drift: number): number {
  if (hunk.oldStart !== undefined) return Math.min(Math.max(0, hunk.oldStart + drift), lines.length);
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
  lines: readonly string[],
  hunk: Hunk,
  start: number,
): { readonly start: number; readonly removed: number; readonly put: readonly string[] } {
  const put: string[] = [];
  let at = start;
  for (const line of hunk.lines) {
    if (line.op === "+") put.push(line.text);
    else {
      if (line.op === " ") put.push(lines[at] ?? line.text);
      at++;
    }
  }
  return { start, removed: at - start, put };
}
