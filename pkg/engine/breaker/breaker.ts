// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** How a breaker trips and recovers (MDL-65). */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** First cooldown; 15 s otherwise. It doubles with each failed trial. */
  readonly baseMs?: number;
  /** Longest cooldown; 300 s otherwise. */
  readonly maxMs?: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Stops asking what keeps failing, and tries it again after a while. */
export interface Breaker {
  /**
   * Whether to try now. After the cooldown the first to ask reserves the one trial; the others are
   * refused until it reports. Whoever was allowed reports exactly one of the three below.
   */
  allow(): boolean;
  succeeded(): void;
  failed(): void;
  /** The attempt said nothing about health (it was cancelled): a reserved trial is free again. */
  abandon(): void;
}

/** Makes a closed breaker. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { threshold, baseMs = 15_000, maxMs = 300_000, now } = options;
  let failures = 0;
  let cooldownMs = baseMs;
  let openUntil: number | undefined;
  let isTrying = false;
  return {
    allow: () => {
      if (openUntil === undefined) return true;
      if (isTrying || now() < openUntil) return false;
      isTrying = true;
      return true;
    },
    succeeded: () => {
      failures = 0;
      cooldownMs = baseMs;
      openUntil = undefined;
      isTrying = false;
    },
    failed: () => {
      failures++;
      if (openUntil !== undefined) cooldownMs = Math.min(cooldownMs * 2, maxMs);
      else if (failures < threshold) return;
      openUntil = now() + cooldownMs;
      isTrying = false;
    },
    abandon: () => {
      isTrying = false;
    },
  };
}
