// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { IntlMessageFormat } from "intl-messageformat";

/** Values a message is filled with. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** A catalog: ICU messages by key. */
export type Catalog = Readonly<Record<string, string>>;

/** Words for what a person sees, in one language. Values are inserted as text; the printer strips control characters. */
export interface Messages {
  /** The message for a key; a key found nowhere shows itself, a placeholder without a value stays as written (I18N-04, 11a). */
  t(key: string, values?: MessageValues): string;
  /** Whether any catalog of the chain has the key. */
  has(key: string): boolean;
}

const PLACEHOLDER: RegExp = /\{([a-zA-Z_][a-zA-Z0-9_]*)\}/g;
/** Plurals, selects and quoting need the whole of ICU; a plain `{name}` doesn't. */
const NEEDS_ICU: RegExp = /\{[^{}]*,|'[{}']/;

/**
 * Messages of a language, looked up along a chain of catalogs, nearest first (00 decision 23). Loads the
 * ICU formatter, which is why it waits.
 */
export async function loadMessages(tag: string, chain: readonly Catalog[]): Promise<Messages> {
  const { IntlMessageFormat: Format } = await import("intl-messageformat");
  const formats = new Map<string, IntlMessageFormat>();
  const find = (key: string): string | undefined => chain.find((catalog) => Object.hasOwn(catalog, key))?.[key];
  const fill = (message: string, values: MessageValues): string =>
    message.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
  const format = (message: string, values: MessageValues): string => {
    const known = formats.get(message) ?? new Format(message, tag, undefined, { ignoreTag: true });
    formats.set(message, known);
    return String(known.format(values));
  };
  return {
    has: (key) => find(key) !== undefined,
    t: (key, values = {}) => {
      const message = find(key);
      if (message === undefined) return key;
      return NEEDS_ICU.test(message) ? format(message, values) : fill(message, values);
    },
  };
}
