// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import type { Program } from "../program.js";
import { bashScript } from "./bash.js";
import { fishScript } from "./fish.js";
import { type Offered, offeredCommands } from "./offered.js";
import { powershellScript } from "./powershell.js";
import { zshScript } from "./zsh.js";

/** The script of each shell, made from the table that help and parser read. */
export const SCRIPTS: Readonly<Record<string, (commands: readonly Offered[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** `blitz completion <shell>`: the script on standard output. @throws UsageError for another shell */
export function runCompletion(line: Parsed, { stdout }: Pick<Program, "stdout">): number {
  const [shell = "", ...others] = line.words;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined || others.length > 0)
    throw usage(line.command, `completion takes one of ${Object.keys(SCRIPTS).join(", ")}`);
  stdout.write(script(offeredCommands()));
  return EXIT.ok;
}
