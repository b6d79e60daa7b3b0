// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { HungUp } from "./program.js";

/** The signal without the terminal's end: that only leaves the turn, it doesn't cancel it (CLI-19). */
export function unlessHungUp(signal: AbortSignal): AbortSignal {
  const cancel = new AbortController();
  const onAbort = (): void => {
    if (!(signal.reason instanceof HungUp)) cancel.abort(signal.reason);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return cancel.signal;
}

/** The turn's result; rejects when the signal aborts for a reason to leave, while the turn goes on in the service. */
export async function untilLeft<T>(
  turn: Promise<T>,
  signal: AbortSignal,
  isLeaving: (reason: unknown) => boolean = () => true,
): Promise<T> {
  const left = Promise.withResolvers<never>();
  const onAbort = (): void => {
    if (isLeaving(signal.reason)) left.reject(signal.reason);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  turn.catch(() => undefined); // nobody waits for it after leaving
  try {
    return await Promise.race([turn, left.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
