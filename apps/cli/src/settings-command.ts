// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { loadConfig, renderSettings, SETTINGS, SETTINGS_FILE, settingsTemplate } from "@blitz/config";
import { type Parsed, usage } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { saveForAll } from "./save-for-all.js";
import { UsageError } from "./usage-error.js";
import { openWords } from "./words.js";

const ACTIONS: Readonly<Record<string, (line: Parsed, program: Program, file: string) => Promise<number>>> = {
  init,
  path: async (_line, { stdout }, file) => {
    stdout.write(`${file}\n`);
    return EXIT.ok;
  },
  show,
  set,
};

/** `blitz config init|path|show|set`: the settings file, and the settings in force (CLI-60, 61, CFG-47). */
export async function runSettings(line: Parsed, program: Program): Promise<number> {
  const [word = "", ...others] = line.words;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action === undefined || (others.length > 0 && word !== "set"))
    throw usage(line.command, `config takes one of ${Object.keys(ACTIONS).join(", ")}`);
  if (line.has("force") && word !== "init") throw usage(line.command, "--force goes with config init only");
  return await action(line, program, path.join(program.configDir, SETTINGS_FILE));
}

/** Writes the template, owner-only, never over a file that is there unless it is forced. */
async function init(line: Parsed, program: Program, file: string): Promise<number> {
  const { configDir, stdout } = program;
  await mkdir(configDir, { recursive: true, mode: 0o700 });
  await chmod(configDir, 0o700);
  try {
    await writeFile(file, settingsTemplate(), { mode: 0o600, flag: line.has("force") ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`${file} is there already; --force writes over it`);
  }
  await chmod(file, 0o600); // one that was there keeps the mode it had otherwise
  const { t } = await openWords(program);
  stdout.write(`${printable(t("config.written", { file }))}\n`);
  return EXIT.ok;
}

async function show(_line: Parsed, { configDir, dir, home, env, stdout, stderr }: Program): Promise<number> {
  const { config, sourceOf, warnings } = await loadConfig({ dir: configDir, workspace: dir, home, env });
  for (const warning of warnings) stderr.write(`blitz: ${printable(warning)}\n`);
  stdout.write(printable(renderSettings(config, sourceOf)));
  return EXIT.ok;
}

/** Saves one setting for every workspace. Secrets aren't taken: a command line is seen by other programs (CFG-47). */
async function set(line: Parsed, program: Program, file: string): Promise<number> {
  const [, key, value, ...others] = line.words;
  if (key === undefined || value === undefined || others.length > 0)
    throw usage(line.command, "config set takes a key and a value; quote a value with blanks");
  if (SETTINGS.find((one) => one.key === key)?.secret === true)
    throw new UsageError(`${key} is a secret, which a command line doesn't keep: write it into ${file}`);
  const { done, overridden } = await saveForAll(program, key, value, await openWords(program));
  program.stdout.write(`${printable(done)}\n`);
  if (overridden !== undefined) program.stderr.write(`blitz: ${printable(overridden)}\n`);
  return EXIT.ok;
}
