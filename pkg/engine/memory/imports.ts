// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A fence that is open: its mark and how long it is. */
interface Fence {
  readonly mark: string;
  readonly length: number;
}

/**
 * The paths a text imports, in order: `@path` at a line's start or after a blank, with a `/` or a file
 * extension, outside fenced blocks and inline code (MEM-06).
 */
export function importsOf(text: string): readonly string[] {
  const found: string[] = [];
  let fence: Fence | undefined;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (mark !== null && closes(mark, fence)) fence = undefined;
      continue;
    }
    // A line with backticks after its opening ones is inline code, not a fence.
    if (mark !== null && !(mark[1]?.startsWith("`") === true && mark[2]?.includes("`") === true)) {
      fence = { mark: mark[1]?.charAt(0) ?? "", length: mark[1]?.length ?? 0 };
      continue;
    }
    for (const [, token = ""] of withoutInlineCode(line).matchAll(/(?<!\S)@(\S+)/g)) {
      const path = token.replace(/[.,;:!?)\]}'"]+$/, "");
      if (path.includes("/") || /[^.]\.[A-Za-z0-9]+$/.test(path)) found.push(path);
    }
  }
  return found;
}

function closes([, mark = "", rest = ""]: RegExpExecArray, fence: Fence): boolean {
  return mark.charAt(0) === fence.mark && mark.length >= fence.length && rest.trim() === "";
}

/** Inline code becomes blanks: a run of backticks up to the next run of the same length. */
function withoutInlineCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  let kept = line;
  for (let first = 0; first < runs.length; first++) {
    const open = runs[first];
    const last = runs.findIndex((run, at) => at > first && run.length === open?.length);
    const close = runs[last];
    if (open === undefined || close === undefined) continue;
    const end = close.at + close.length;
    kept = kept.slice(0, open.at) + " ".repeat(end - open.at) + kept.slice(end);
    first = last;
  }
  return kept;
}
