// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Levels of records, least important first. */
export const LEVELS = ["debug", "info", "warn", "error"] as const;

/** How important a record is. */
export type Level = (typeof LEVELS)[number];

/**
 * What `log.level` and `BLITZ_LOG_LEVEL` may say (LOG-01): a level, `warning` for `warn`, "" for `info`, `none` for
 * `off`; in any case.
 *
 * @returns undefined for anything else
 */
export function parseLevel(text: string): Level | "off" | undefined {
  const word = text.trim().toLowerCase();
  if (word === "") return "info";
  if (word === "warning") return "warn";
  if (word === "off" || word === "none") return "off";
  return LEVELS.find((level) => level === word);
}

/** Whether a record of this level is kept where `least` is the least important one kept. */
export function reaches(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
