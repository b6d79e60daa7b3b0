// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { canonical } from "./tag.js";

/** Regional languages people name by their own names, beside the plain ones (I18N-10). */
const REGIONAL: readonly string[] = [
  "de-AT",
  "de-CH",
  "en-AU",
  "en-CA",
  "en-GB",
  "en-US",
  "es-419",
  "es-ES",
  "es-MX",
  "fr-CA",
  "fr-CH",
  "fr-FR",
  "pt-BR",
  "pt-PT",
  "zh-Hans",
  "zh-Hant",
];

/**
 * The tag of what a person typed: the English or own name of a language, first of those with a catalog, or a
 * tag in any case, with `-` or `_`. A region nobody assigned is dropped (I18N-10).
 *
 * @param available - tags that have a catalog
 * @returns undefined for no language
 */
export function resolveLocale(input: string, available: readonly string[]): string | undefined {
  const given = folded(input);
  if (given === "") return undefined;
  const named = (tags: readonly string[]): string | undefined =>
    tags.find((tag) => namesOf(tag).some((name) => folded(name) === given));
  return named(available) ?? named([...plainTags(), ...REGIONAL]) ?? knownTag(input);
}

/** A language's name in itself; its tag where it has none. */
export function ownNameOf(tag: string): string {
  return nameOf(tag, tag) ?? tag;
}

function namesOf(tag: string): readonly string[] {
  return [nameOf(tag, "en"), nameOf(tag, tag)].filter((name) => name !== undefined);
}

/** Every language with a tag of two letters. */
function plainTags(): readonly string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const english = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter((tag) => english.of(tag) !== undefined);
}

function knownTag(input: string): string | undefined {
  const tag = canonical(input);
  if (tag === undefined || tag === "en-XA") return tag;
  const { language, region } = new Intl.Locale(tag);
  if (nameOf(language, "en") === undefined) return undefined;
  const isAssigned =
    region === undefined ||
    new Intl.DisplayNames(["en"], { type: "region", fallback: "none" }).of(region) !== undefined;
  return isAssigned
    ? tag
    : tag
        .split("-")
        .filter((part) => part !== region)
        .join("-");
}

function nameOf(tag: string, language: string): string | undefined {
  return new Intl.DisplayNames([language], { type: "language", fallback: "none" }).of(tag);
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
