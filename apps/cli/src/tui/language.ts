// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";
import type { LocaleInfo, Locales, Messages } from "@blitz/i18n";
import type { Program } from "../program.js";
import { wordOptions, type WordSettings } from "../words.js";

/** The interface's language, which is this program's own and not the workspace's (I18N-20). */
export interface Language {
  /** Words in the language in use: whoever holds them speaks the next one too. */
  readonly messages: Messages;
  current(): Promise<LocaleInfo>;
  available(): Promise<readonly LocaleInfo[]>;
  /** Takes a language by tag or name. @throws ApiError `UNKNOWN_LOCALE`; the one in use stays */
  use(input: string): Promise<LocaleInfo>;
}

/** Opens the words of the session's first language. */
export async function openLanguage(program: Program, settings: WordSettings): Promise<Language> {
  const { openLocales, openMessages } = await import("@blitz/i18n");
  const { locale, ...where } = wordOptions(program, settings);
  let named = locale;
  let words = await openMessages({ locale, ...where });
  // Told of a catalog that can't be read when its words were opened; a list needn't repeat it.
  const locales = async (): Promise<Locales> => await openLocales({ ...where, warn: () => undefined });
  const find = async (input: string): Promise<LocaleInfo> => {
    const found = (await locales()).find(input);
    if (found === undefined) throw apiError("UNKNOWN_LOCALE", `no language "${input}"`, { value: input });
    return found;
  };
  return {
    messages: { t: (key, values) => words.t(key, values), has: (key) => words.has(key) },
    current: async () => await find(named).catch(() => find("en-US")), // a bad `ui.locale` means English (I18N-11)
    available: async () => (await locales()).available,
    use: async (input) => {
      const found = await find(input);
      words = await openMessages({ ...where, locale: found.tag });
      named = found.tag;
      return found;
    },
  };
}
