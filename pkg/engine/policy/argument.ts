// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Word, WordPart } from "./parser.js";

/** One word of a command. `literal` is its value when nothing in it is expanded at run time (SH-12). */
export interface Argument {
  readonly literal: string | undefined;
  /** As written. */
  readonly text: string;
}

/** A word with its value, if that is known before the script runs. */
export function argumentOf(word: Word): Argument {
  return { literal: literalOf(word), text: word.text };
}

/** A word known to be this text. */
export function literalArgument(text: string): Argument {
  return { literal: text, text };
}

/**
 * Whether the parser took a word for plain although something in it is expanded: it does so with odd
 * text after an opening `[`, which Bash may read as a subscript.
 */
export function isMisread({ text, parts }: Word): boolean {
  return parts === undefined && /`|\$[^\s/.,:;=%+\])}]|[<>]\(/.test(text.replace(/\\[^]/g, ""));
}

function literalOf(word: Word): string | undefined {
  // `~` and `~/…` are the home folder, whose name a rule spells the same way; `~user` is anybody's.
  if (/^~[^/]/.test(word.text)) return undefined;
  if (word.parts !== undefined) return joined(word.parts);
  return isMisread(word) ? undefined : word.value;
}

function joined(parts: readonly WordPart[]): string | undefined {
  let text = "";
  for (const part of parts) {
    const value = partLiteral(part);
    if (value === undefined) return undefined;
    text += value;
  }
  return text;
}

function partLiteral(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
      return joined(part.parts);
    case "Glob":
    case "LocaleString":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "BraceExpansion":
      return undefined;
  }
}
