// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { setTimeout as delay } from "node:timers/promises";
import { localDay } from "./day-file.js";
import { type Attributes, encodeRecord, type LogRecord } from "./encode.js";
import { type Level, parseLevel, reaches } from "./level.js";
import { createWriter } from "./writer.js";

/** Where records go and which. */
export interface LogOptions {
  /** `log.dir`, absolute; made 0700, or corrected to it. */
  readonly dir: string;
  /** `log.level` as it was set, see `parseLevel`. */
  readonly level: string;
  /** `log.retain_days`: on each new day, files older than this are deleted; 0 keeps all. */
  readonly retainDays: number;
  /** Masks secrets in every text before it is written. */
  readonly redact: (text: string) => string;
  /** The real clock when left out. */
  readonly now?: () => Date;
  /** Told once, in a person's words, when the log is off because something is wrong with it. */
  readonly warn: (text: string) => void;
}

/**
 * Blitz's own health, a record a line (LOG-03). Logging never waits, throws or prints; what can't be written is
 * dropped and counted (LOG-02). Strings and errors are masked, and values that can't be encoded replaced, when the
 * record is logged; later changes of an attribute don't show.
 */
export interface Log {
  debug(message: string, attributes?: Attributes): void;
  info(message: string, attributes?: Attributes): void;
  warn(message: string, attributes?: Attributes): void;
  error(message: string, attributes?: Attributes): void;
  /** The same log with attributes that each of its records has; a record's own of the same name win (LOG-09). */
  with(attributes: Attributes): Log;
  /** Settles when everything logged so far is written or given up, after two seconds at the latest (LOG-07). */
  flush(): Promise<void>;
  /** Flushes; later records are ignored, those of every log made by `with` too. */
  close(): Promise<void>;
}

const FLUSH_MS: number = 2_000;

/** Opens a log. The disk is first touched by the first record; a log that can't be opened warns and is off (LOG-04). */
export function createLog(options: LogOptions): Log {
  const now = options.now ?? (() => new Date());
  const level = parseLevel(options.level);
  if (level === undefined)
    options.warn(`log.level: "${options.level}" is none of debug, info, warn, error, off; the diagnostic log is off`);
  const least = level === "off" ? undefined : level;
  const encoding = { redact: options.redact, withStacks: least === "debug" };
  const encode = (record: LogRecord): string => encodeRecord(encoding, record);
  const writer = createWriter({
    dir: options.dir,
    retainDays: options.retainDays,
    now,
    dropRecord: (count) =>
      encode({ time: now(), level: "WARN", message: "log records dropped", attributes: [{ count }] }),
    onDisabled: (error) =>
      options.warn(`log.dir: can't write to ${options.dir}; the diagnostic log is off: ${String(error)}`),
  });
  let isClosed = false;
  const flush = (): Promise<void> => settledWithin(writer.idle(), FLUSH_MS);
  const logWith = (fixed: readonly Attributes[]): Log => {
    const write = (of: Level, message: string, own: Attributes = {}): void => {
      if (isClosed || least === undefined || !reaches(of, least)) return;
      const time = now();
      writer.push(localDay(time), encode({ time, level: of.toUpperCase(), message, attributes: [...fixed, own] }));
    };
    return {
      debug: (message, attributes) => write("debug", message, attributes),
      info: (message, attributes) => write("info", message, attributes),
      warn: (message, attributes) => write("warn", message, attributes),
      error: (message, attributes) => write("error", message, attributes),
      with: (attributes) => logWith([...fixed, attributes]),
      flush,
      close: () => {
        isClosed = true;
        return flush();
      },
    };
  };
  return logWith([]);
}

async function settledWithin(work: Promise<void>, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined); // aborted below
  await Promise.race([work, timeout]);
  timer.abort();
}
