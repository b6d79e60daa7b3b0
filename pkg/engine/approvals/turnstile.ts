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

/** A turnstile for each key, there as long as somebody uses it. */
export interface Turnstiles {
  enter(key: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** No turnstiles yet. */
export function createTurnstiles(): Turnstiles {
  const open = new Map<string, { readonly turnstile: Turnstile; users: number }>();
  return {
    enter: async (key, signal) => {
      const one = open.get(key) ?? { turnstile: createTurnstile(), users: 0 };
      open.set(key, one);
      one.users += 1;
      const done = (): void => {
        one.users -= 1;
        if (one.users === 0) open.delete(key);
      };
      const leave = await one.turnstile.enter(signal);
      if (leave === undefined) {
        done();
        return undefined;
      }
      return () => {
        leave();
        done();
      };
    },
  };
}
