// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Where a key stands in a TOML file: 1-based; 0 when it can't be told. */
export interface Position {
  readonly line: number;
  readonly col: number;
}

/** What a bare or quoted key on a line reads as. */
function keyOf(text: string): string {
  return text
    .split(/\.(?=(?:[^"']*["'][^"']*["'])*[^"']*$)/)
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .join("\u0000");
}

/**
 * Finds a key (its names as a list) or its table's header in a file that parses. Strings over several
 * lines are passed over, so a line inside one is never taken for a key.
 */
export function positionOf(text: string, names: readonly string[]): Position {
  const wanted = names.join("\u0000");
  const parents = names.map((_name, at) => names.slice(0, at).join("\u0000"));
  let table = "";
  let best: Position = { line: 0, col: 0 };
  let inString: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const opened: string | undefined = inString;
    inString = stateAfter(line, inString);
    if (opened !== undefined) continue;
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line);
    if (header !== null) {
      table = keyOf(header[1] ?? "");
      if (table === wanted || parents.includes(table)) best = { line: at + 1, col: line.indexOf("[") + 1 };
      continue;
    }
    const assignment = /^\s*([^=#[\]]+?)\s*=/.exec(line);
    if (assignment === null) continue;
    const key = keyOf(assignment[1] ?? "");
    const full = table === "" ? key : `${table}\u0000${key}`;
    if (full === wanted) return { line: at + 1, col: line.search(/\S/) + 1 };
    if (wanted.startsWith(`${full}\u0000`)) best = { line: at + 1, col: line.search(/\S/) + 1 };
  }
  return best;
}

/** Which kind of multi-line string is open after this line. */
function stateAfter(line: string, open: string | undefined): string | undefined {
  let state = open;
  for (let at = 0; at < line.length; at++) {
    const three = line.slice(at, at + 3);
    if (state !== undefined) {
      if (three === state) {
        state = undefined;
        at += 2;
      }
    } else if (three === '"""' || three === "'''") {
      state = three;
      at += 2;
    } else if (line[at] === "#") break;
  }
  return state;
}
