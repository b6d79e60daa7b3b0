// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createTwoFilesPatch } from "diff";

/** What a diff may cost (FS-66). */
export interface DiffLimits {
  /** Characters of either side; past it sizes are shown instead. */
  readonly maxLength: number;
  readonly timeoutMs: number;
}

const LIMITS: DiffLimits = { maxLength: 2 * 1024 * 1024, timeoutMs: 500 };

/**
 * A unified diff with three lines of context, `a/<path>` and `b/<path>` (FS-66).
 *
 * @param before - `undefined`: the file is created
 * @param after - `undefined`: the file is deleted
 * @param from - the old path of a moved file
 */
export function unifiedDiff(
  before: string | undefined,
  after: string | undefined,
  path: string,
  from: string = path,
  limits: DiffLimits = LIMITS,
): string {
  const oldName = before === undefined ? "/dev/null" : `a/${from}`;
  const newName = after === undefined ? "/dev/null" : `b/${path}`;
  const head = from === path ? "" : `rename ${from} -> ${path}\n`;
  const [old, now] = [before ?? "", after ?? ""];
  if (old === now) return head;
  if (isBinary(old) || isBinary(now)) return `${head}${path}: binary, ${old.length} → ${now.length} characters\n`;
  if (old.length > limits.maxLength || now.length > limits.maxLength) return head + tooLarge(old, now, path);
  const patch = createTwoFilesPatch(oldName, newName, old, now, undefined, undefined, {
    context: 3,
    timeout: limits.timeoutMs,
  });
  if (patch === undefined) return head + tooLarge(old, now, path);
  return (
    head +
    patch
      .replace(/^=+\n/, "")
      .replace(/^(--- [^\t\n]*)\t$/m, "$1")
      .replace(/^(\+\+\+ [^\t\n]*)\t$/m, "$1")
  );
}

function isBinary(text: string): boolean {
  return text.slice(0, 8_000).includes("\0");
}

/** Sizes, and the first line that differs. */
function tooLarge(old: string, now: string, path: string): string {
  let at = 0;
  const shorter = Math.min(old.length, now.length);
  while (at < shorter && old.charCodeAt(at) === now.charCodeAt(at)) at++;
  const line = old.slice(0, at).split("\n").length;
  return `${path}: too large to diff, ${old.length} → ${now.length} characters, first change in line ${line}\n`;
}
