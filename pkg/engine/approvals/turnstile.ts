// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Lets one caller in at a time, in the order they came (APR-51). */
export interface Turnstile {
  /** The way out, to be called exactly once; `undefined` when the signal aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** An open turnstile. */
export function createTurnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) isTaken = false;
    else next();
  };
  return {
    enter: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        if (!isTaken) {
          isTaken = true;
          return resolve(leave);
        }
        const admit = (): void => {
          signal.removeEventListener("abort", giveUp);
          resolve(leave);
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          resolve(undefined);
        };
        waiting.push(admit);
        signal.addEventListener("abort", giveUp, { once: true });
      }),
  };
}
