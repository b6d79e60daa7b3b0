// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { localDay, oldestKept } from "./day-file.js";
import { appendLines, makePrivateDir, prepareDay, pruneDays } from "./day-files.js";

/** What the writer needs. */
export interface WriterDeps {
  readonly dir: string;
  /** Days a file is kept; 0 keeps all. */
  readonly retainDays: number;
  readonly now: () => Date;
  /** The record that says how many lines were dropped. */
  readonly dropRecord: (count: number) => string;
  /** Told once, when the log can't be opened and is off from then on (LOG-04). */
  readonly onDisabled: (error: unknown) => void;
}

/** Takes lines without waiting and appends them, a batch at a time. */
export interface Writer {
  /** Queues a line of a local day, or drops and counts it when too many wait (LOG-02). */
  push(day: string, text: string): void;
  /** Settles when nothing waits any more. Never rejects. */
  idle(): Promise<void>;
}

/** Lines waiting or being written, at most. */
const QUEUE_LINES: number = 1_024;

interface Line {
  readonly day: string;
  readonly text: string;
}

/** A writer for one directory. It touches the disk with the first line. */
export function createWriter(deps: WriterDeps): Writer {
  const queue: Line[] = [];
  let writing = 0;
  let dropped = 0; // since the last batch was taken: to be told after it
  let owed = 0; // to be told before the next batch
  let running: Promise<void> | undefined;
  let preparedDay: string | undefined;
  let wasOpened = false;
  let isDisabled = false;

  const append = async (day: string, lines: readonly string[]): Promise<void> => {
    if (preparedDay !== day) {
      await makePrivateDir(deps.dir);
      if (deps.retainDays > 0) await pruneDays(deps.dir, oldestKept(deps.now(), deps.retainDays));
      await prepareDay(deps.dir, day);
    }
    wasOpened = true;
    preparedDay = undefined; // a failure prepares anew: the directory may be gone, or a line torn
    await appendLines(deps.dir, day, lines);
    preparedDay = day;
  };
  const tryWrite = async (day: string, texts: readonly string[]): Promise<boolean> => {
    const told = texts.length === 0 ? owed + dropped : owed;
    owed += dropped;
    dropped = 0;
    try {
      await append(day, told === 0 ? texts : [deps.dropRecord(told), ...texts]);
      owed -= told;
      return true;
    } catch (error) {
      if (!wasOpened) {
        isDisabled = true;
        queue.length = 0;
        deps.onDisabled(error);
      }
      owed += texts.length;
      return false;
    }
  };
  const run = async (): Promise<void> => {
    await Promise.resolve(); // what is logged in one go is one batch
    let isWritable = true;
    while (!isDisabled && (queue.length > 0 || (owed + dropped > 0 && isWritable))) {
      const day = queue[0]?.day ?? localDay(deps.now());
      const end = queue.findIndex((line) => line.day !== day);
      const batch = queue.splice(0, end === -1 ? queue.length : end);
      writing = batch.length;
      isWritable = await tryWrite(
        day,
        batch.map(({ text }) => text),
      );
      writing = 0;
    }
    running = undefined;
  };
  return {
    push: (day, text) => {
      if (isDisabled) return;
      if (queue.length + writing >= QUEUE_LINES) dropped++;
      else queue.push({ day, text });
      running ??= run();
    },
    idle: () => running ?? Promise.resolve(),
  };
}
