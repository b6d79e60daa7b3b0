// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";

/** A time limit that is running; disposing it stops the clock. */
export interface TimeLimit extends Disposable {
  /** Aborts with `TIME_LIMIT` as its reason. */
  readonly signal: AbortSignal;
}

/** Starts a limit in milliseconds; absent or 0 never aborts. */
export function startTimeLimit(timeoutMs: number | undefined): TimeLimit {
  const controller = new AbortController();
  if (timeoutMs === undefined || timeoutMs <= 0)
    return { signal: controller.signal, [Symbol.dispose]: () => undefined };
  const timer = setTimeout(() => {
    const seconds = timeoutMs / 1000;
    controller.abort(
      apiError("TIME_LIMIT", `the turn reached its time limit (${seconds} s)`, { limit: `${timeoutMs}ms` }),
    );
  }, timeoutMs);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
