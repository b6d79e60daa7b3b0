// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The name a table gives a number of the wire; `undefined` for one of a newer peer. */
export function nameOf<Name extends string, Value>(
  table: Readonly<Record<Name, Value>>,
  value: Value,
): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name] === value);
}
