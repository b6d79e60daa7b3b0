// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendRecords, OFF_MARKER } from "./chain.js";
import { type AuditEntry, recordOf } from "./entry.js";
import { type FileLock, openFileLock } from "./file-lock.js";

/** What the log needs. */
export interface AuditOptions {
  /** Made 0700, or corrected to it (AUD-01). */
  readonly dir: string;
  /** False gives a log that takes entries and keeps none. */
  readonly enabled: boolean;
  readonly redact: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Told once when entries can't be written (AUD-04). */
  readonly warn: (text: string) => void;
}

/** The append-only record of actions. */
export interface Audit extends AsyncDisposable {
  /** Queues an entry and returns; entries are written in this order. Never throws. */
  write(entry: AuditEntry): void;
  /** Settles when all entries queued so far are on disk or given up. */
  flush(): Promise<void>;
  /** Writes what is queued and closes; later entries are dropped. Idempotent. */
  close(): Promise<void>;
}

const MAX_QUEUED = 1_024;
const LOCK_WAIT_MS = 5_000;

/**
 * Entries of calls and results wait a moment for each other, since each append takes the lock. Whatever
 * a call changes is approved first, and that entry takes along all that wait: no effect is ahead of its record.
 */
const CAN_WAIT: ReadonlySet<AuditEntry["kind"]> = new Set(["tool_call", "tool_result"]);
const WAIT_MS = 50;

/** Opens the log of a folder. A folder that can't be used is warned about once, and entries are dropped. */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  if (!options.enabled) return closedLog(options);
  try {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    if ((statSync(options.dir).mode & 0o777) !== 0o700) chmodSync(options.dir, 0o700);
    return createLog(options, openFileLock(join(options.dir, "head.lock")));
  } catch (error) {
    options.warn(`the audit log is not written: ${messageOf(error)}`);
    return silentLog();
  }
}

function createLog(options: AuditOptions, lock: FileLock): Audit {
  const queue: Readonly<Record<string, unknown>>[] = [];
  let dropped = 0;
  let isClosed = false;
  let hasWarned = false;
  let draining: Promise<void> | undefined;
  let soon: NodeJS.Timeout | undefined;

  const append = async (): Promise<void> => {
    await Promise.resolve(); // entries of one moment go out together
    while (queue.length > 0) {
      const batch = queue.splice(0);
      const records = dropped === 0 ? batch : batch.map((record, i) => (i === 0 ? { ...record, dropped } : record));
      try {
        await lock.run(() => appendRecords(options.dir, options.clock(), records), LOCK_WAIT_MS);
        dropped = 0;
      } catch (error) {
        dropped += batch.length;
        if (!hasWarned) options.warn(`the audit log could not be written: ${messageOf(error)}`);
        hasWarned = true;
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(soon);
    soon = undefined;
    draining ??= append().finally(() => {
      draining = undefined;
    });
    return draining;
  };
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await flush();
    lock.close();
  };
  return {
    write: (entry) => {
      if (isClosed) return;
      if (queue.length >= MAX_QUEUED) dropped += 1;
      else queue.push(recordOf(entry, options.clock(), options.redact));
      if (CAN_WAIT.has(entry.kind)) soon ??= setTimeout(() => void flush(), WAIT_MS);
      else void flush(); // owned by `draining`, which close awaits; it never rejects
    },
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Keeps nothing, and leaves a note for the day the log is switched on again (AUD-10). */
function closedLog({ dir }: AuditOptions): Audit {
  try {
    if (existsSync(join(dir, "head"))) writeFileSync(join(dir, OFF_MARKER), "", { mode: 0o600 });
  } catch {
    // Only the reason on the next chain's first line depends on it.
  }
  return silentLog();
}

function silentLog(): Audit {
  const done = async (): Promise<void> => {};
  return { write: () => {}, flush: done, close: done, [Symbol.asyncDispose]: done };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
