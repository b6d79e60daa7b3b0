// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

/** A lock between processes, freed by the system when its holder dies (decision 10). */
export interface FileLock {
  /**
   * Runs `work` while holding the lock. `work` is synchronous, so the lock is held for a moment only;
   * waiting for it doesn't block the event loop.
   *
   * @throws Error when the lock isn't free within `waitMs`; what `work` throws
   */
  run<T>(work: () => T, waitMs?: number): Promise<T>;
  /** Idempotent. */
  close(): void;
}

const SQLITE_BUSY = 5;
const RETRY_MS = 5;

/** Opens the lock kept at `path` (created 0600): an exclusive transaction on an otherwise empty database. */
export function openFileLock(path: string): FileLock {
  closeSync(openSync(path, "a", 0o600));
  // The pragma itself needs the lock for a moment, so opening waits for a holder; taking it later doesn't.
  const database = new DatabaseSync(path, { timeout: 2_000 });
  database.exec("PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0");
  let isClosed = false;
  return {
    run: async (work, waitMs = 5_000) => {
      const deadline = performance.now() + waitMs;
      while (!tryBegin(database)) {
        if (performance.now() >= deadline) throw new Error(`${path} is locked by another process`);
        await delay(RETRY_MS);
      }
      try {
        return work();
      } finally {
        database.exec("ROLLBACK");
      }
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      database.close();
    },
  };
}

function tryBegin(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
