// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, openSync } from "node:fs";

/**
 * A held lock. Disposing frees it, and may be repeated; so does the death of the process, by SIGKILL too.
 * Whoever needs the lock keeps this object: one that nobody refers to any more is collected, and its lock with it.
 */
export type Lock = Disposable;

const SQLITE_BUSY = 5;

/**
 * Takes the exclusive lock on `file`, without waiting: a write transaction on an otherwise empty SQLite
 * database (ADR 0002). Of several at the same moment exactly one gets it. The file is made 0600 when it is
 * missing, and stays; its folder must exist. Nothing else may open the file.
 *
 * @returns undefined when another process, or another holder in this one, has it
 * @throws Error when the file can't be made or isn't such a database
 */
export async function tryLock(file: string): Promise<Lock | undefined> {
  makeFile(file);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Not EXCLUSIVE: that takes three locks in a row, and of two starting together each can stop the other.
    // Nothing is ever written, so there is nothing to keep a journal file for.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return {
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

/**
 * SQLite would make it with the umask's mode. A file that is there isn't opened, and a new one is closed before
 * anything else runs: closing any descriptor of it frees the locks this process holds on it (POSIX).
 */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function isBusy(error: unknown): boolean {
  // The low byte is the kind; the text differs between versions.
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
