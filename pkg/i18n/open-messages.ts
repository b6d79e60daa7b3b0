// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { EN_US } from "./catalogs/en-us.js";
import { type Catalog, loadMessages, type Messages } from "./messages.js";
import { canonical } from "./tag.js";

/** The source's tag: every chain ends with it. */
export const SOURCE: string = "en-US";
const PSEUDO: string = "en-XA";

/** Catalogs that come with the program, each read when a chain needs it. */
export const SHIPPED: Readonly<Record<string, () => Promise<Catalog>>> = {
  es: async () => (await import("./catalogs/es.js")).ES,
  "fr-CA": async () => (await import("./catalogs/fr-ca.js")).FR_CA,
};

/** Which language, and where a person's own catalogs are. */
export interface OpenMessagesOptions {
  readonly locale: string;
  /** Absolute; a missing folder is fine. */
  readonly localesDir?: string;
  /** Told of a bad tag and of a catalog that was left out. */
  readonly warn?: (message: string) => void;
}

/** The words of a language, looked up along its chain (I18N-04); a bad tag warns and means English (I18N-11). */
export async function openMessages(options: OpenMessagesOptions): Promise<Messages> {
  const { locale, localesDir, warn = () => undefined } = options;
  const tag = knownTag(locale);
  if (tag === undefined) warn(`ui.locale: no language "${locale}"; the interface is in English`);
  const used = tag ?? SOURCE;
  if (used === PSEUDO) {
    const { pseudoCatalog } = await import("./pseudo.js");
    return await loadMessages(SOURCE, [pseudoCatalog(EN_US)]);
  }
  const own = localesDir === undefined ? new Map<string, Catalog>() : await ownCatalogs(localesDir, warn);
  const chain = chainOf(used, [...Object.keys(SHIPPED), ...own.keys()]);
  const catalogs: Catalog[] = [];
  let nearest = SOURCE;
  for (const one of chain) {
    const found = [own.get(one), one === SOURCE ? EN_US : await SHIPPED[one]?.()].filter((each) => each !== undefined);
    if (found.length > 0 && catalogs.length === 0) nearest = one;
    catalogs.push(...found);
  }
  return await loadMessages(nearest, catalogs);
}

/** A person's own catalogs by tag; none without the folder. */
export async function ownCatalogs(dir: string, warn: (message: string) => void): Promise<Map<string, Catalog>> {
  const { existsSync } = await import("node:fs");
  if (!existsSync(dir)) return new Map();
  const { loadUserCatalogs } = await import("./user-catalogs.js");
  return await loadUserCatalogs(dir, warn);
}

/** The tag, its parents, the bare language or the lowest regional catalog it borrows, then English (I18N-04). */
export function chainOf(tag: string, available: readonly string[]): string[] {
  const parts = tag.split("-");
  const chain = parts.map((_part, index) => parts.slice(0, parts.length - index).join("-"));
  const [bare = ""] = parts;
  const borrowed = available.filter((one) => one.startsWith(`${bare}-`)).toSorted()[0];
  if (!available.includes(bare) && borrowed !== undefined) chain.push(borrowed);
  return [...new Set([...chain, SOURCE])];
}

/** A tag whose language has a name, as `Intl` spells it. */
function knownTag(locale: string): string | undefined {
  const tag = canonical(locale);
  if (tag === undefined || tag === SOURCE || tag === PSEUDO) return tag; // English asks `Intl` for no names
  const [language = ""] = tag.split("-");
  return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(language) === undefined
    ? undefined
    : tag;
}
