// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync } from "node:fs";
import path from "node:path";
import { type Config, masked, SETTINGS_FILE, workspaceSettingsFile } from "@blitz/config";
import type { Program } from "../program.js";
import { type Check, failure, type Finding, good, warning } from "./finding.js";
import { checkPrivate } from "./private-path.js";

/** The settings file: there, and its owner's alone (CLI-51). It may not parse, so it is checked before the table. */
export async function checkSettingsFile({ configDir }: Program): Promise<Finding> {
  const file = path.join(configDir, SETTINGS_FILE);
  return await checkPrivate(file, warning(`${file} is missing: blitz config init writes one`));
}

/** What the settings say, beside models and permissions. */
export const SETTINGS_CHECKS: readonly Check[] = [
  { name: "project settings", run: async ({ program }) => await projectSettings(program) },
  { name: "credentials", run: async ({ program, config }) => credentials(program.env, config.llm) },
];

/** Files a repository may bring settings in; none of them is read yet (PRJ-01). */
const PROJECT_FILES: readonly string[] = [
  ".blitz/settings.toml",
  ".blitz/settings.local.toml",
  ".mcp.json",
  ".agents/mcp_config.json",
];

/** The workspace's own settings, kept beside the user's, apply; what the repository brings doesn't. */
async function projectSettings({ configDir, dir }: Program): Promise<Finding> {
  const own = workspaceSettingsFile(configDir, dir);
  const ignored = PROJECT_FILES.filter((file) => existsSync(path.join(dir, file)));
  if (ignored.length > 0)
    return warning(`ignored, as this version reads no project's settings: ${ignored.join(", ")}; yours go in ${own}`);
  return await checkPrivate(own, good("none"));
}

const OPENAI_URL: string = "https://api.openai.com/v1";

/** A provider that is selected needs its own key; with none selected any key will do, and Ollama needs none. */
function credentials(env: Program["env"], llm: Config["llm"]): Finding {
  const named = (["anthropic", "gemini", "openai"] as const).filter((name) => [name, ""].includes(llm.provider));
  if (named.length === 0) return good(`${llm.provider} needs no key`);
  const keys = named.filter((name) => llm[name].api_key !== "");
  if (keys.length > 0) return good(keys.map((name) => `${name} ${masked(llm[name].api_key)}`).join(", "));
  if (llm.provider === "")
    return warning("no API key: set llm.anthropic.api_key, or another provider's; ollama needs none");
  if (llm.provider === "anthropic" && (env["ANTHROPIC_AUTH_TOKEN"] ?? "") !== "") return good("ANTHROPIC_AUTH_TOKEN");
  // Another server than OpenAI's own may ask for none.
  if (llm.provider === "openai" && llm.openai.base_url !== OPENAI_URL) return good(`none for ${llm.openai.base_url}`);
  return failure(`no key for ${llm.provider}, the selected provider: set llm.${llm.provider}.api_key`);
}
