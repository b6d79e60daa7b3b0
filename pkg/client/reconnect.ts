// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { setTimeout as sleep } from "node:timers/promises";
import { errorFromConnect, isConnectionLost } from "@blitz/wire";

/** How often, and after how long, a service that went away is asked again. */
export interface Reconnect {
  /** Waits before each attempt; together they bound how long a restart of the service may take. */
  readonly retryDelaysMs: readonly number[];
  /** Resolves after `ms`, or when the signal aborts. */
  readonly delay: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A second and a half: a service that restarts is back by then, and one that doesn't is told soon (T-SVC-1). */
export const RECONNECT: Reconnect = {
  retryDelaysMs: [50, 100, 200, 400, 800],
  delay: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/** The answer of one call, or the error of the contract it means (CL-06). */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw errorFromConnect(error);
  }
}

/** The answer of a call that is made again while the service is away. For calls that may arrive twice. */
export async function answeredAgain<T>(
  { retryDelaysMs, delay }: Reconnect,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (const ms of retryDelaysMs) {
    try {
      return await call();
    } catch (error) {
      if (!isConnectionLost(error) || signal?.aborted === true) throw errorFromConnect(error);
      await delay(ms, signal);
    }
  }
  return await answered(call());
}
