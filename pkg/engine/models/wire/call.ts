// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { setTimeout as sleep } from "node:timers/promises";
import { ModelError, type ModelEvent } from "../chat-model.js";
import { type About, fromThrown } from "./failures.js";
import { createStallWatch, type StallWatch } from "./stall-watch.js";

/** What every adapter's call needs. */
export interface CallDeps {
  readonly about: About;
  /** Attempts after the first; 0 = none (MDL-52). */
  readonly maxRetries: number;
  /** Milliseconds without headers or content (MDL-51). */
  readonly stallTimeoutMs: number;
}

/** Longest wait a provider may ask for; beyond it the call fails and says so. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Runs attempts of one call until one succeeds (MDL-52): rate limits, overload, server errors and
 * dropped connections are tried again while nothing was yielded, after the wait the provider asked
 * for, else 0.5 s doubling to 8 s with jitter. A stall, a refused key or a bad request isn't, nor
 * anything after output (MDL-53). One loop serves all providers, because the SDKs' own loops neither
 * see errors inside a stream nor agree on `Retry-After`.
 */
export async function* callAttempts(
  deps: CallDeps,
  attempt: (watch: StallWatch) => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let n = 0; ; n++) {
    signal.throwIfAborted();
    let yielded = false;
    using watch = createStallWatch(deps.stallTimeoutMs, signal);
    try {
      for await (const event of attempt(watch)) {
        yielded = true;
        yield event;
      }
      return;
    } catch (thrown) {
      const error = fromThrown(deps.about, thrown, watch.signal);
      const wait = error instanceof ModelError && !yielded && n < deps.maxRetries ? waitBefore(error, n) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** Milliseconds before the next attempt; undefined when there mustn't be one. */
export function waitBefore(error: ModelError, attemptsBefore: number): number | undefined {
  if (!canRetry(error)) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= LONGEST_WAIT_MS ? error.retryAfterMs : undefined;
  const base = Math.min(500 * 2 ** attemptsBefore, 8_000);
  return base * (1 - Math.random() * 0.25);
}

function canRetry({ kind, status }: ModelError): boolean {
  if (kind === "rate_limited" || kind === "overloaded" || kind === "network") return true;
  return kind === "api" && (status === undefined || status === 408 || status === 409 || status >= 500);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
