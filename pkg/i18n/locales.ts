// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chainOf, type OpenMessagesOptions, ownCatalogs, SHIPPED, SOURCE } from "./open-messages.js";
import { ownNameOf, resolveLocale } from "./resolve-locale.js";

/** A language: its tag, its name in itself, and whether the interface has words in it. */
export interface LocaleInfo {
  readonly tag: string;
  readonly name: string;
  readonly hasCatalog: boolean;
}

/** The languages of the interface. */
export interface Locales {
  /** Those with a catalog of their own, English first. */
  readonly available: readonly LocaleInfo[];
  /** The language a person named or whose tag was typed; `undefined` for none (I18N-10). */
  find(input: string): LocaleInfo | undefined;
}

/** Looks which languages there are catalogs for; a person's own are read for it. */
export async function openLocales({
  localesDir,
  warn = () => undefined,
}: Omit<OpenMessagesOptions, "locale">): Promise<Locales> {
  const own = localesDir === undefined ? [] : (await ownCatalogs(localesDir, warn)).keys();
  const tags = [...new Set([SOURCE, ...Object.keys(SHIPPED), ...own])];
  const infoOf = (tag: string): LocaleInfo => ({ tag, name: ownNameOf(tag), hasCatalog: hasCatalog(tag, tags) });
  return {
    available: tags.map(infoOf),
    find: (input) => {
      const tag = resolveLocale(input, tags);
      return tag === undefined ? undefined : infoOf(tag);
    },
  };
}

/** English has one by any tag; another language needs one in its chain before English. */
function hasCatalog(tag: string, tags: readonly string[]): boolean {
  return /^en(-|$)/.test(tag) || chainOf(tag, tags).some((one) => one !== SOURCE && tags.includes(one));
}
