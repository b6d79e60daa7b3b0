// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Catalog } from "./messages.js";

/** What is wrong with a catalog beside English: unknown keys, other placeholders, other answer letters (I18N-05). */
export function problemsOf(catalog: Catalog, english: Catalog): string[] {
  return Object.entries(catalog).flatMap(([key, message]) => {
    const source = Object.hasOwn(english, key) ? english[key] : undefined;
    if (source === undefined) return [`${key}: unknown key`];
    const kinds = [
      ["placeholders", /\{(\w+)[,}]/g],
      ["answer letters", /\[(\w)\]/g],
    ] as const;
    return kinds
      .filter(([, pattern]) => namesIn(message, pattern) !== namesIn(source, pattern))
      .map(([kind]) => `${key}: other ${kind} than in English`);
  });
}

/** Keys of English the catalog lacks. */
export function missingFrom(catalog: Catalog, english: Catalog): string[] {
  return Object.keys(english).filter((key) => !Object.hasOwn(catalog, key));
}

function namesIn(message: string, pattern: RegExp): string {
  return [...new Set([...message.matchAll(pattern)].map(([, name = ""]) => name))].toSorted().join(",");
}
