// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The tag as `Intl` spells it; undefined for none. */
export function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}
