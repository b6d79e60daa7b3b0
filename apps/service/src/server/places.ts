// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { orAborted } from "./or-aborted.js";

/** A fixed number of places, given in the order they are asked for. */
export interface Places {
  /**
   * Waits for a place.
   *
   * @returns gives the place back; idempotent
   * @throws the signal's reason when it aborts before there is one
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Makes places, all free. */
export function createPlaces(count: number): Places {
  let free = count;
  const waiting = new Set<() => void>();
  const giveBack = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  const held = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (isHeld) giveBack();
      isHeld = false;
    };
  };
  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return held();
      }
      const turn = Promise.withResolvers<void>();
      waiting.add(turn.resolve);
      try {
        await orAborted(turn.promise, signal);
      } catch (error) {
        if (!waiting.delete(turn.resolve)) giveBack(); // its turn came at the same moment
        throw error;
      }
      return held();
    },
  };
}
