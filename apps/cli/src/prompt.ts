// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Parsed } from "./command-line.js";
import { usage } from "./command-line.js";
import { UsageError } from "./usage-error.js";

const LARGEST: number = 10 * 1024 * 1024;

/** Standard input as the prompt sees it. */
export interface PromptInput {
  readonly isTty: boolean;
  read(): Promise<Buffer>;
}

/** A prompt, and whether standard input was used up for it. */
export interface ResolvedPrompt {
  readonly text: string;
  readonly fromStdin: boolean;
}

/**
 * What to run: the words, `-p`, and standard input when it isn't a terminal (CLI-01…07).
 *
 * @throws UsageError when there is nothing to run, or more than one prompt
 */
export async function resolvePrompt(line: Parsed, stdin: PromptInput): Promise<ResolvedPrompt> {
  const { flag, words } = promptParts(line);
  if (flag !== undefined && flag !== "-") return { text: flag, fromStdin: false };
  const reads = flag === "-" || !stdin.isTty;
  const piped = reads ? textOf(await stdin.read()) : "";
  const text = [words, piped].filter((part) => part !== "").join("\n\n");
  if (text === "")
    throw usage(line.command, "there is no prompt: give one as words, by -p, or on standard input; -i opens a session");
  return { text, fromStdin: reads };
}

/**
 * The prompt that comes before those on standard input, if one is given (CLI-26).
 *
 * @throws UsageError for more than one, and for `-p -`: the lines there are no text
 */
export function givenPrompt(line: Parsed): string | undefined {
  const { flag, words } = promptParts(line);
  if (flag === "-") throw usage(line.command, "-p - and --input-format stream-json both read standard input");
  return flag ?? (words === "" ? undefined : words);
}

function promptParts(line: Parsed): { readonly flag: string | undefined; readonly words: string } {
  const flag = line.text("prompt")?.trim();
  const words = line.words.join(" ").trim();
  if (flag === undefined || flag === "-") return { flag, words };
  if (words !== "") throw usage(line.command, "a prompt is given twice: by -p and as words");
  if (flag === "") throw usage(line.command, "the prompt is empty");
  return { flag, words };
}

function textOf(bytes: Buffer): string {
  if (bytes.length > LARGEST) throw new UsageError("standard input is over 10 MiB, too large for a prompt");
  return bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
}
