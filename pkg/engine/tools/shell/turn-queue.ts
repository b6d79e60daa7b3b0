// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Runs the commands of one turn one after the other, so each change has one cause (SH-70). */
export interface TurnQueue {
  run<T>(turnId: string, work: () => Promise<T>): Promise<T>;
}

/** A queue per turn; one that is empty isn't kept. */
export function createTurnQueue(): TurnQueue {
  const last = new Map<string, Promise<void>>();
  return {
    run: async (turnId, work) => {
      const before = last.get(turnId);
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      last.set(turnId, ended);
      await before;
      try {
        return await work();
      } finally {
        end();
        if (last.get(turnId) === ended) last.delete(turnId);
      }
    },
  };
}
