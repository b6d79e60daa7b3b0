// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stat } from "node:fs/promises";
import path from "node:path";
import { type Config, masked, SETTINGS_FILE } from "@blitz/config";
import type { Program } from "../program.js";
import { type Check, failure, type Finding, good, warning } from "./finding.js";

/** The settings file: there, and its owner's alone (CLI-51). It may not parse, so it is checked before the table. */
export async function checkSettingsFile({ configDir }: Program): Promise<Finding> {
  const file = path.join(configDir, SETTINGS_FILE);
  const mode = await modeOf(file);
  if (mode === undefined) return warning(`${file} is missing: blitz config init writes one`);
  return isOpen(mode) ? warning(`${file} can be read by others: chmod 600 '${file}'`) : good(file);
}

/** What the settings say. */
export const SETTINGS_CHECKS: readonly Check[] = [
  {
    name: "credentials",
    run: async ({ env }, { llm }) => credentials(env, llm),
  },
  {
    name: "permissions",
    run: async (_program, { blitz, permissions: { allow, ask, deny } }) => {
      const rules = `${allow.length} allow, ${ask.length} ask, ${deny.length} deny`;
      const mode = blitz.auto_approve ? "bypass (auto_approve)" : blitz.permission_mode;
      return good(`${mode}; rules: ${rules}`);
    },
  },
  {
    name: "sessions",
    run: async (_program, { session }: Config) => {
      const mode = await modeOf(session.storage_dir);
      if (mode === undefined) return good(`${session.storage_dir} (made with the first session)`);
      return isOpen(mode)
        ? warning(`${session.storage_dir} is open to others: chmod 700 '${session.storage_dir}'`)
        : good(session.storage_dir);
    },
  },
];

/** A provider that is selected needs its own key; with none selected any key will do, and Ollama needs none. */
function credentials(env: Program["env"], llm: Config["llm"]): Finding {
  const named = (["anthropic", "gemini", "openai"] as const).filter((name) => [name, ""].includes(llm.provider));
  if (named.length === 0) return good(`${llm.provider} needs no key`);
  const keys = named.filter((name) => llm[name].api_key !== "");
  if (keys.length > 0) return good(keys.map((name) => `${name} ${masked(llm[name].api_key)}`).join(", "));
  if (llm.provider === "")
    return warning("no API key: set llm.anthropic.api_key, or another provider's; ollama needs none");
  if (llm.provider === "anthropic" && (env["ANTHROPIC_AUTH_TOKEN"] ?? "") !== "") return good("ANTHROPIC_AUTH_TOKEN");
  return failure(`no key for ${llm.provider}, the selected provider: set llm.${llm.provider}.api_key`);
}

async function modeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mode;
}

function isOpen(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}
