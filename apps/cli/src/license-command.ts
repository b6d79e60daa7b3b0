// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Parsed, usage } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import { showPaged } from "./output/pager.js";
import type { Program } from "./program.js";
import { openWords } from "./words.js";

/** The file each word shows. */
const FILES: Readonly<Record<string, string>> = { full: "LICENSE", "third-party": "THIRD_PARTY_NOTICES" };

/** `blitz license [full|third-party]`: a short notice, or one of the texts (25 RR-05). @throws UsageError for another word */
export async function runLicense(line: Parsed, program: Program): Promise<number> {
  const [word, ...others] = line.words;
  const file = word !== undefined && Object.hasOwn(FILES, word) ? FILES[word] : undefined;
  if (others.length > 0 || (word !== undefined && file === undefined))
    throw usage(line.command, `license takes nothing, or one of ${Object.keys(FILES).join(", ")}`);
  if (file === undefined) return await showNotice(program);
  await showPaged((await readLegal(file)).text, program);
  return EXIT.ok;
}

async function showNotice(program: Program): Promise<number> {
  const { text, dir } = await readLegal("NOTICE");
  const { t } = await openWords(program);
  const { stdout, version } = program;
  stdout.write(`blitz ${version}\n\n${text.trimEnd()}\n\n${printable(t("license.texts", { dir }))}\n`);
  return EXIT.ok;
}

/** How far above this file's folder the texts may be: bundled they are one up, beside the entry; compiled, at the root. */
const LEVELS: number = 3;

/** A text from the nearest folder above the running code that has it, wherever the program was unpacked. */
async function readLegal(name: string): Promise<{ readonly text: string; readonly dir: string }> {
  for (let level = 0, dir = import.meta.dirname; level <= LEVELS; level++, dir = path.dirname(dir)) {
    const text = await readFile(path.join(dir, name), "utf8").catch(() => undefined); // looked for above, then told
    if (text !== undefined) return { text, dir };
  }
  throw new Error(`${name} is missing from this copy of Blitz`);
}
