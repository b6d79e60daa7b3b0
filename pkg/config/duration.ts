// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s`, `15m`, `1h30m`, `500ms` in milliseconds; bare `0` too. `undefined` when it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!/^(\d{1,9}(ms|s|m|h))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0),
    0,
  );
}
