// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The longest a timer can be set for, in milliseconds. */
const LONGEST_MS: number = 2 ** 31 - 1;

/**
 * Calls once when the time has come, also after a clock that was set back or a machine that slept.
 *
 * @returns stops it; the timer never keeps the process alive
 */
export function startExpiry(expires: Date | undefined, now: () => Date, onExpired: () => void): () => void {
  if (expires === undefined) return () => undefined;
  let timer: NodeJS.Timeout;
  const left = (): number => expires.getTime() - now().getTime();
  const wait = (): void => {
    timer = setTimeout(() => (left() <= 0 ? onExpired() : wait()), Math.min(Math.max(left(), 0), LONGEST_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
