// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Config } from "@blitz/config";
import type { Messages, OpenMessagesOptions } from "@blitz/i18n";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";

/** Settings as far as the words depend on them; a language nobody set leaves the choice to the environment. */
export interface WordSettings {
  readonly config: { readonly ui: Pick<Config["ui"], "locale" | "locales_dir"> };
  readonly sourceOf: (key: string) => string;
}

/** The interface's words. Loads the catalogs, which is why it waits. */
export async function openWords(
  program: Pick<Program, "env" | "configDir" | "stderr">,
  settings?: WordSettings,
): Promise<Messages> {
  const { openMessages } = await import("@blitz/i18n");
  return await openMessages(wordOptions(program, settings));
}

/**
 * Which words: `ui.locale` where the settings are at hand and name one, else the environment's language
 * (I18N-20).
 */
export function wordOptions(
  program: Pick<Program, "env" | "configDir" | "stderr">,
  settings?: WordSettings,
): OpenMessagesOptions {
  const set = settings === undefined || settings.sourceOf("ui.locale") === "default" ? "" : settings.config.ui.locale;
  return {
    locale: set === "" ? localeOf(program.env) : set,
    localesDir: settings?.config.ui.locales_dir ?? `${program.configDir}/locales`,
    warn: (message) => program.stderr.write(`blitz: ${printable(message)}\n`),
  };
}

/** The language of a POSIX environment, such as `es-ES` of `es_ES.UTF-8`; English for `C`, `POSIX` and none. */
export function localeOf(env: Program["env"]): string {
  const value = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find((one) => one !== undefined && one !== "") ?? "";
  const name = value.replace(/[.@].*$/, "").replaceAll("_", "-");
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(name) && !/^(c|posix)$/i.test(name) ? name : "en-US";
}
