// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Openings tried in an answer's words before it counts as one without JSON. */
const MOST_TRIES: number = 50;

/** The JSON in an answer: all of it, else a fenced block, else the first object or array; `undefined` without any. */
export function findJson(answer: string): { readonly value: unknown } | undefined {
  for (const text of candidates(answer)) {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

function* candidates(answer: string): Generator<string> {
  yield answer;
  for (const [, block = ""] of answer.matchAll(/^[ \t]*```[^\n]*\n([^]*?)^[ \t]*```/gm)) yield block;
  let start = nextOpening(answer, 0);
  for (let tries = 0; start !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfValue(answer, start);
    if (end !== undefined) yield answer.slice(start, end);
    start = nextOpening(answer, end ?? start + 1);
  }
}

function nextOpening(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found === -1 ? -1 : from + found;
}

/** Behind the bracket that closes the one at `start`; brackets in strings don't count. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}
