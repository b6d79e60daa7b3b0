// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { SETTINGS, saveSetting } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import type { Program } from "./program.js";

/** What became of a setting that was saved, in the interface's words. */
export interface SavedText {
  readonly done: string;
  /** The environment wins over what was saved. */
  readonly overridden?: string;
}

/** Saves one setting for every workspace (CFG-47). @throws ApiError as `saveSetting` does */
export async function saveForAll(
  { configDir: dir, home, env }: Pick<Program, "configDir" | "home" | "env">,
  key: string,
  value: string,
  { t }: Messages,
): Promise<SavedText> {
  const { file, isChanged } = await saveSetting({ dir, home }, key, value);
  const done = t(isChanged ? "config.saved" : "config.unchanged", { key, file });
  const variable = SETTINGS.find((one) => one.key === key)?.env?.override;
  if (variable === undefined || (env[variable] ?? "") === "") return { done };
  return { done, overridden: t("config.overridden", { key, variable }) };
}
