// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { type Config, loadConfig } from "@blitz/config";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { inspectLocal } from "../open-backend.js";
import { printable } from "../output/output.js";
import { messageOf, type Program } from "../program.js";
import { type Check, type Examined, failure, type Finding, good } from "./finding.js";
import { modelChecks, PRICING_CHECK } from "./models.js";
import { PROGRAM_CHECKS } from "./programs.js";
import { checkSettingsFile, SETTINGS_CHECKS } from "./settings.js";
import { LOG_CHECK, WORKSPACE_CHECKS } from "./workspace.js";

/**
 * `blitz doctor`: a line for each check, exit 1 when one failed (CLI-50). It changes nothing and opens no workspace;
 * models are asked for a word with `--online` only.
 */
export async function runDoctor(line: Parsed, program: Program): Promise<number> {
  if (line.words.length > 0) throw usage(line.command, "doctor takes no words");
  let failed = 0;
  const show = (name: string, { mark, detail }: Finding): void => {
    if (mark === "✗") failed += 1;
    program.stdout.write(`${mark} ${name.padEnd(16)} ${printable(detail).replaceAll("\n", "; ")}\n`);
  };
  show("config file", await checkSettingsFile(program));
  const config = await parsedConfig(program, (finding) => show("config", finding));
  if (config !== undefined) {
    const examined = { program, config, engine: await inspectLocal({ ...program, config }) };
    const models = modelChecks(await examined.engine.models(), line.has("online"));
    const checks = [...SETTINGS_CHECKS, PRICING_CHECK, LOG_CHECK, ...models, ...PROGRAM_CHECKS, ...WORKSPACE_CHECKS];
    for (const check of checks) show(check.name, await findingOf(check, examined));
  }
  if (failed === 0) return EXIT.ok;
  program.stderr.write(`blitz: ${failed} ${failed === 1 ? "check" : "checks"} failed\n`);
  return EXIT.failed;
}

/** What stops a check stops Blitz too. */
async function findingOf(check: Check, examined: Examined): Promise<Finding> {
  try {
    return await check.run(examined);
  } catch (error) {
    if (!isReason(error)) throw error;
    return failure(error.message);
  }
}

/** Without settings there is nothing more to check: the list ends here. */
async function parsedConfig(program: Program, show: (finding: Finding) => void): Promise<Config | undefined> {
  const { configDir, dir, home, env } = program;
  try {
    const { config, warnings } = await loadConfig({ dir: configDir, workspace: dir, home, env });
    const { blitz, llm } = config;
    const model = blitz.default_model === "" ? "the provider's model" : blitz.default_model;
    const provider = llm.provider === "" ? "the first provider with a key" : llm.provider;
    const parsed = `${provider}, ${model}, agent ${blitz.default_agent}`;
    show(warnings.length === 0 ? good(parsed) : { mark: "!", detail: `${parsed}; mend: ${warnings.join("; ")}` });
    return config;
  } catch (error) {
    show(failure(`${messageOf(error)}; mend the file named here`));
    return undefined;
  }
}
