// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** How long an open block may grow before a part of it is printed: a frame draws the open block whole. */
const LONGEST_OPEN: number = 40;

const FENCE: RegExp = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/;
const LIST_ITEM: RegExp = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED: RegExp = /^(?: {2,}|\t)\S/;

/** Markdown that renders by itself. */
export interface Block {
  readonly text: string;
  /** It goes on where the block before was cut: nothing stands between the two. */
  readonly joins: boolean;
}

/** Cuts streamed Markdown into blocks that render by themselves, in time linear in the text. */
export interface MarkdownBlocks {
  /** Takes more text; the blocks it ended, in order. */
  push(text: string): readonly Block[];
  /** The block that hasn't ended. */
  open(): string;
  /** Ends the text: what was open. */
  end(): readonly Block[];
}

/**
 * Blocks end at a blank line, but not inside a code fence, nor where a list goes on. A block that grows
 * too long is cut between lines: a cut fence goes on as a fence of the same language.
 */
export function createMarkdownBlocks(): MarkdownBlocks {
  let lines: string[] = [];
  let rest = ""; // the line that hasn't ended
  let fence: { readonly mark: string; readonly language: string } | undefined;
  let isBlankBefore = false;
  let isCut = false;

  const take = (ended: Block[], cut: boolean = false): void => {
    const block = lines
      .join("\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
    lines = [];
    if (block !== "") ended.push({ text: block, joins: isCut });
    isCut = cut;
  };
  const cutLong = (ended: Block[]): void => {
    if (lines.length < LONGEST_OPEN) return;
    if (fence === undefined) return take(ended, true);
    const { mark, language } = fence;
    lines.push(mark);
    take(ended, true);
    lines.push(`${mark}${language}`);
  };
  const line = (text: string, ended: Block[]): void => {
    const [, mark = "", language = ""] = FENCE.exec(text) ?? [];
    if (fence !== undefined) {
      lines.push(text);
      if (mark.startsWith(fence.mark) && language === "") {
        fence = undefined;
        if (!LIST_ITEM.test(lines[0] ?? "")) take(ended);
      }
      return cutLong(ended);
    }
    const isBlank = text.trim() === "";
    if (isBlankBefore && !isBlank && !goesOn(lines, text)) take(ended);
    isBlankBefore = isBlank;
    if (mark !== "") {
      if (!LIST_ITEM.test(lines[0] ?? "")) take(ended);
      fence = { mark, language };
    }
    lines.push(text);
    cutLong(ended);
  };
  return {
    push: (text) => {
      const ended: Block[] = [];
      const whole = `${rest}${text}`.split("\n");
      rest = whole.pop() ?? "";
      for (const one of whole) line(one.replace(/\r$/, ""), ended);
      return ended;
    },
    open: () => [...lines, rest].join("\n").trimEnd(),
    end: () => {
      const ended: Block[] = [];
      if (rest !== "") line(rest, ended);
      rest = "";
      take(ended);
      fence = undefined;
      isBlankBefore = false;
      return ended;
    },
  };
}

/** Whether a line after a blank one belongs to the same list. */
function goesOn(lines: readonly string[], text: string): boolean {
  const first = lines.find((one) => one.trim() !== "");
  return first !== undefined && LIST_ITEM.test(first) && (LIST_ITEM.test(text) || INDENTED.test(text));
}
