// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Watches that a call makes progress. */
export interface StallWatch extends Disposable {
  /** Aborts with the caller's reason, or with a `Stalled` when progress stopped. */
  readonly signal: AbortSignal;
  /** Content came: the limit starts anew. Cheap, so it may be called for each event. */
  progress(): void;
}

/** Why a watch aborted. */
export class Stalled extends Error {
  override readonly name: string = "Stalled";
  /** How long nothing came. */
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`no data for ${describeMs(limitMs)}`);
    this.limitMs = limitMs;
  }
}

/** Starts watching; dispose it when the call has ended. */
export function createStallWatch(limitMs: number, signal: AbortSignal): StallWatch {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Stalled(limitMs)), limitMs);
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    progress: () => void timer.refresh(),
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}

/** A duration in words: `600 s`, `250 ms`. */
export function describeMs(ms: number): string {
  return ms >= 1000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms)} ms`;
}
