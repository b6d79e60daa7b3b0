// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stat } from "node:fs/promises";
import path from "node:path";
import { type Config, masked, SETTINGS_FILE } from "@blitz/config";
import type { Program } from "../program.js";
import { type Check, type Finding, good, warning } from "./finding.js";

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
    run: async (_program, { llm }) => {
      const keys = (["anthropic", "gemini", "openai"] as const).filter((name) => llm[name].api_key !== "");
      if (keys.length > 0) return good(keys.map((name) => `${name} ${masked(llm[name].api_key)}`).join(", "));
      return warning("no API key: set llm.anthropic.api_key, or another provider's; ollama needs none");
    },
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

async function modeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mode;
}

function isOpen(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}
