// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Catalog } from "./messages.js";
import { canonical } from "./tag.js";

const FORM: RegExp = /^(.+)\.(one|other)$/;

/** Reads a person's own catalogs by tag, in name order; a bad file is a warning and the rest load (I18N-01). */
export async function loadUserCatalogs(dir: string, warn: (message: string) => void): Promise<Map<string, Catalog>> {
  const found = new Map<string, Catalog>();
  for (const name of (await namesIn(dir, warn)).filter((one) => one.endsWith(".json")).toSorted()) {
    const file = path.join(dir, name);
    try {
      const { tag, messages } = parseUserCatalog(await readFile(file, "utf8"));
      await refuseUnreadable(messages, tag);
      const known = found.get(tag) ?? {};
      found.set(tag, Object.assign(Object.create(null), known, messages) as Catalog);
    } catch (error) {
      warn(`${file}: ${error instanceof Error ? error.message : String(error)}; this catalog is left out`);
    }
  }
  return found;
}

async function namesIn(dir: string, warn: (message: string) => void): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") warn(`${dir}: ${(error as Error).message}`);
    return [];
  }
}

/** A message that ICU can't read would fail where it is shown. @throws Error naming the first */
async function refuseUnreadable(messages: Catalog, tag: string): Promise<void> {
  const { IntlMessageFormat } = await import("intl-messageformat");
  for (const [key, message] of Object.entries(messages)) {
    try {
      new IntlMessageFormat(message, tag, undefined, { ignoreTag: true });
    } catch (error) {
      throw new Error(`the message ${key} can't be read: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** @throws Error that says what is wrong with the text */
function parseUserCatalog(text: string): { readonly tag: string; readonly messages: Catalog } {
  const root = recordOf(JSON.parse(text) as unknown);
  const locale = recordOf(root?.["meta"])?.["locale"];
  const tag = typeof locale === "string" ? canonical(locale) : undefined;
  if (tag === undefined) throw new Error("meta.locale is no language tag");
  const entries = Object.entries(recordOf(root?.["messages"]) ?? {});
  if (entries.length === 0) throw new Error("it has no messages");
  // Without a prototype a key such as __proto__ is a key like any other.
  const messages: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [key, message] of entries) {
    if (typeof message !== "string") throw new Error(`the message ${key} isn't a string`);
    messages[key] = message;
  }
  return { tag, messages: withIcuPlurals(messages) };
}

/** `files.one` and `files.other` of the older form become one ICU plural `files` (00 decision 23). */
function withIcuPlurals(messages: Readonly<Record<string, string>>): Catalog {
  const plain: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [key, message] of Object.entries(messages)) {
    const [, stem, form] = FORM.exec(key) ?? [];
    const other = stem === undefined ? undefined : messages[`${stem}.other`];
    if (stem === undefined || other === undefined) plain[key] = message;
    else if (form === "other")
      plain[stem] = `{count, plural, one {${messages[`${stem}.one`] ?? other}} other {${other}}}`;
  }
  return plain;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
