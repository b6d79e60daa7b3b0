// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Parsed, usage } from "../command-line.js";

/** The one word a command takes. @throws UsageError for none, and for more */
export function oneWord(line: Parsed, what: string): string {
  const [word, ...others] = line.words;
  if (word === undefined) throw usage(line.command, `which ${what}? give its ID`);
  if (others.length > 0) throw usage(line.command, `one ${what} at a time: ${line.words.join(" ")}`);
  return word;
}

/** @throws UsageError for a word where none is taken */
export function noWords(line: Parsed): void {
  const [word] = line.words;
  if (word !== undefined) throw usage(line.command, `${line.command.name} takes no ${word}`);
}
