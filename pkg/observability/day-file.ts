// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The local day of a time as `YYYY-MM-DD` (LOG-01). */
export function localDay(time: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** The last day that is kept: files of earlier ones are older than `retainDays`. */
export function oldestKept(time: Date, retainDays: number): string {
  return localDay(new Date(time.getFullYear(), time.getMonth(), time.getDate() - retainDays));
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. Nothing else may become part of a path (LOG-06). */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** The name of a day's file. */
export function fileOfDay(day: string): string {
  return `blitz-${day}.jsonl`;
}

/** The day a file is of; undefined when it isn't one of the log's. */
export function dayOfFile(name: string): string | undefined {
  const day = /^blitz-(.{10})\.jsonl$/.exec(name)?.[1];
  return day !== undefined && isDay(day) ? day : undefined;
}
