// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A piece of a text that is replaced. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/**
 * Where a target stands in a text, and what goes there. A target with LF also matches CRLF, and the
 * replacement's LF become the line ends used there, so that a file's own, also mixed, stay as they are
 * (FS-95, FS-103). A target or replacement with a CR is meant literally.
 */
export function splicesOf(text: string, target: string, replacement: string): readonly Splice[] {
  const literal = target.includes("\r") || !text.includes("\r\n");
  const view = literal ? { text, toOriginal: (at: number) => at } : withoutReturns(text);
  return positions(view.text, target).map((at) => {
    const start = view.toOriginal(at);
    const end = view.toOriginal(at + target.length);
    const put = replacement.includes("\r") ? replacement : replacement.replaceAll("\n", lineEndAt(text, start, end));
    return { start, end, put };
  });
}

/** The text with all pieces replaced. Literal: `$` in a replacement means nothing (T-EDIT-1). */
export function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, put } of splices) {
    pieces.push(text.slice(from, start), put);
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** A text with LF for every CRLF, and the way back to places in the original: before a CR that was left out. */
function withoutReturns(text: string): { readonly text: string; readonly toOriginal: (at: number) => number } {
  const left: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) left.push(at - left.length);
  return {
    text: text.replaceAll("\r\n", "\n"),
    toOriginal: (at) => {
      let [low, high] = [0, left.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((left[middle] ?? 0) < at) low = middle + 1;
        else high = middle;
      }
      return at + low;
    },
  };
}

/** The line end within a piece, else of the line it ends in, else of the line before. */
function lineEndAt(text: string, start: number, end: number): string {
  const inside = text.indexOf("\n", start);
  const at = inside >= 0 ? inside : text.lastIndexOf("\n", end);
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

function positions(text: string, target: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + target.length)) found.push(at);
  return found;
}
