// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Config, loadConfig } from "@blitz/config";
import { isAnswering } from "@blitz/socket";
import { endpointOf } from "../attach.js";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import { messageOf, type Program } from "../program.js";
import { type Check, failure, type Finding, good } from "./finding.js";
import { PROGRAM_CHECKS } from "./programs.js";
import { checkSettingsFile, SETTINGS_CHECKS } from "./settings.js";

const CHECKS: readonly Check[] = [
  ...SETTINGS_CHECKS,
  ...PROGRAM_CHECKS,
  {
    name: "service",
    run: async (program) => {
      const endpoint = endpointOf(program);
      return good((await isAnswering(endpoint)) ? `answers at ${endpoint}` : "not running; runs are in this process");
    },
  },
];

/** `blitz doctor`: a line for each check, exit 1 when one failed (CLI-50). It changes nothing and opens no workspace. */
export async function runDoctor(line: Parsed, program: Program): Promise<number> {
  if (line.words.length > 0) throw usage(line.command, "doctor takes no words");
  let failed = 0;
  const show = (name: string, { mark, detail }: Finding): void => {
    if (mark === "✗") failed += 1;
    program.stdout.write(`${mark} ${name.padEnd(16)} ${printable(detail)}\n`);
  };
  show("config file", await checkSettingsFile(program));
  const config = await parsedConfig(program, (finding) => show("config", finding));
  if (config !== undefined) for (const check of CHECKS) show(check.name, await check.run(program, config));
  if (failed === 0) return EXIT.ok;
  program.stderr.write(`blitz: ${failed} ${failed === 1 ? "check" : "checks"} failed\n`);
  return EXIT.failed;
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
