// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Serialises work per file (FS-30). */
export interface FileLocks {
  /** Runs `work` while holding the locks of all these paths, taken in sorted order; waiting ends with the signal. */
  hold<T>(paths: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Locks of one workspace. */
export function createFileLocks(): FileLocks {
  const last = new Map<string, Promise<void>>();
  return {
    hold: async (paths, signal, work) => {
      const sorted = [...new Set(paths)].sort();
      const releases: (() => void)[] = [];
      try {
        for (const path of sorted) releases.push(await take(last, path, signal));
        return await work();
      } finally {
        for (const release of releases.reverse()) release();
      }
    },
  };
}

async function take(last: Map<string, Promise<void>>, path: string, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  const before = last.get(path) ?? Promise.resolve();
  const mine = Promise.withResolvers<void>();
  // Whoever comes next waits for both: an aborted waiter must not let the next one past the holder.
  const chained = Promise.all([before, mine.promise]).then(() => undefined);
  last.set(path, chained);
  void chained.then(() => {
    if (last.get(path) === chained) last.delete(path); // nobody came after: the last one tidies up
  });
  const release = (): void => mine.resolve();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([before, aborted.promise]);
  } catch (error) {
    release();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  return release;
}
