// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { forEachChild, parse } from "unbash";
import type { Command, ParsedScript, Redirection, SyntaxNode, Word, WordPart } from "unbash";

/** The one place that knows the parser (SH-62): another one replaces it here, with the corpus as its test. */
export type { Command, ParsedScript, Redirection, SyntaxNode, Word, WordPart };

/** Parses a script as Bash. Broken input gives a partial tree; its `errors`, and those of nested scripts, say so. */
export function parseScript(source: string): ParsedScript {
  return parse(source);
}

/** Calls back once for each direct child, word parts and the scripts of substitutions included. */
export function eachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void {
  forEachChild(node, callback);
}
