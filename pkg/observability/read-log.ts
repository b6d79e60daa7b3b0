// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { dayOfFile, fileOfDay, isDay } from "./day-file.js";
import { type Level, LEVELS, parseLevel, reaches } from "./level.js";
import { readLines } from "./read-lines.js";

/** Which records to read. */
export interface LogQuery {
  /** `YYYY-MM-DD`, or "" for the newest day there is. */
  readonly day: string;
  /** The least important level wanted, or "" for all. */
  readonly minLevel: string;
  /** Words that must all be in a record, in any of its fields, in any case; "" for all records. */
  readonly text: string;
  /** The most records returned, the newest; 0 = 500. */
  readonly limit: number;
}

/** A value as people read it: strings bare, others as JSON. */
export interface LogAttribute {
  readonly key: string;
  readonly value: string;
}

/** One record. */
export interface LogEntry {
  readonly time: Date;
  /** Upper-case, as it is written. */
  readonly level: string;
  readonly message: string;
  /** In the order they were written. */
  readonly attributes: readonly LogAttribute[];
}

/** What a query found. */
export interface LogPage {
  /** The day read; "" when there is none. */
  readonly day: string;
  /** Its file, also when it isn't there; "" without a day. */
  readonly path: string;
  /** Newest first. */
  readonly entries: readonly LogEntry[];
  /** How many records matched, those over the limit too. */
  readonly matched: number;
}

const LONGEST_LINE: number = 4 * 1024 * 1024;
const DEFAULT_LIMIT: number = 500;

/** The days a directory has logs of, newest first. Other files are ignored; a missing directory has none (LOG-06). */
export async function logDays(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch(ifMissing<string[]>([]));
  return names
    .map(dayOfFile)
    .filter((day) => day !== undefined)
    .toSorted()
    .toReversed();
}

/**
 * A day's records by level and words. The file is streamed, so only the records returned are kept in memory; lines
 * that are torn, foreign or over 4 MiB are skipped (LOG-06).
 *
 * @throws RangeError for a day that isn't `YYYY-MM-DD` and a level that isn't one
 */
export async function readLog(dir: string, query: LogQuery): Promise<LogPage> {
  if (query.day !== "" && !isDay(query.day)) throw new RangeError(`"${query.day}" isn't a day such as 2026-01-31`);
  const least = query.minLevel === "" ? "debug" : parseLevel(query.minLevel);
  if (least === undefined || least === "off")
    throw new RangeError(`"${query.minLevel}" is none of ${LEVELS.join(", ")}`);
  const day = query.day === "" ? (await logDays(dir))[0] : query.day;
  if (day === undefined) return { day: "", path: "", entries: [], matched: 0 };
  const file = path.join(dir, fileOfDay(day));
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = await readMatching(file, query.limit > 0 ? query.limit : DEFAULT_LIMIT, (entry) => {
    const level = levelOf(entry.level);
    return level !== undefined && reaches(level, least) && hasWords(entry, words);
  });
  return { day, path: file, ...found };
}

async function readMatching(
  file: string,
  limit: number,
  matches: (entry: LogEntry) => boolean,
): Promise<Pick<LogPage, "entries" | "matched">> {
  const ring: LogEntry[] = [];
  let matched = 0;
  const read = async (): Promise<void> => {
    for await (const line of readLines(createReadStream(file), LONGEST_LINE)) {
      const entry = parseEntry(line);
      if (entry !== undefined && matches(entry)) ring[matched++ % limit] = entry;
    }
  };
  await read().catch(ifMissing(undefined));
  const oldest = matched % limit; // where the next one would go
  return { entries: [...ring.slice(oldest), ...ring.slice(0, oldest)].toReversed(), matched };
}

function parseEntry(line: string): LogEntry | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof record !== "object" || record === null) return undefined;
  const { time, level, msg, ...attributes } = record as Readonly<Record<string, unknown>>;
  if (typeof time !== "string" || typeof level !== "string" || typeof msg !== "string") return undefined;
  const parsed = new Date(time);
  if (Number.isNaN(parsed.getTime())) return undefined;
  return { time: parsed, level, message: msg, attributes: Object.entries(attributes).map(attributeOf) };
}

function attributeOf([key, value]: readonly [string, unknown]): LogAttribute {
  return { key, value: typeof value === "string" ? value : JSON.stringify(value) };
}

function levelOf(word: string): Level | undefined {
  return LEVELS.find((level) => level.toUpperCase() === word);
}

function hasWords(entry: LogEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { time, level, message, attributes } = entry;
  const fields = [time.toISOString(), level, message, ...attributes.flatMap(({ key, value }) => [key, value])];
  const text = fields.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return value;
    throw error;
  };
}
