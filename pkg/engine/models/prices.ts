// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { providerNamed } from "./model-ref.js";
import { PRICES, type Price } from "./model-table.js";

/** The user's prices by model; fields left out come from the built-in table. */
export type PriceOverrides = Readonly<Record<string, Partial<Price>>>;

/**
 * The price of a model at a moment: the user's entry (exact name, else the longest prefix), field by
 * field over the built-in row. Undefined when input or output rate stays unknown (MDL-76).
 */
export function priceOf(model: string, overrides: PriceOverrides, at: Date): Price | undefined {
  const name = bareName(model);
  const own = entryFor(name, overrides) ?? entryFor(model, overrides);
  const price = { ...builtIn(name, at), ...own };
  const { inputPerMtok, outputPerMtok } = price;
  return inputPerMtok === undefined || outputPerMtok === undefined
    ? undefined
    : { ...price, inputPerMtok, outputPerMtok };
}

function bareName(model: string): string {
  const slash = model.indexOf("/");
  return slash > 0 && providerNamed(model.slice(0, slash)) !== undefined ? model.slice(slash + 1) : model;
}

function entryFor(name: string, overrides: PriceOverrides): Partial<Price> | undefined {
  if (Object.hasOwn(overrides, name)) return overrides[name];
  const prefixes = Object.keys(overrides).filter((key) => key !== "" && name.startsWith(key));
  const longest = prefixes.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : overrides[longest];
}

/** Built-in rows cover dated names too: `gpt-4o-2024-11-20` is `gpt-4o`. */
function builtIn(name: string, at: Date): Partial<Price> {
  const day = at.toISOString().slice(0, 10);
  const row = PRICES.filter(
    (price) => price.from <= day && (name === price.model || isDated(name, price.model)),
  ).toSorted((a, b) => b.from.localeCompare(a.from))[0];
  if (row === undefined) return {};
  const { model: _model, from: _from, source: _source, ...price } = row;
  return price;
}

function isDated(name: string, model: string): boolean {
  return name.startsWith(model) && /^-\d{4}-?\d{2}-?\d{2}$/.test(name.slice(model.length));
}
