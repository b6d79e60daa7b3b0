// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A prompt; `accepted`: its text is in the transcript already (TUI-33). */
export interface QueuedPrompt {
  readonly text: string;
  readonly accepted: boolean;
}

/** Prompts that wait for their turn, in the order they came. */
export interface PromptQueue {
  add(text: string): void;
  /** Before the others: messages recorded for the turn that ended, and too late for it (TUI-33). */
  addLate(texts: readonly string[]): void;
  /** No more will be added at the end. */
  close(): void;
  /** Whether more can come. */
  readonly isOpen: () => boolean;
  /** `undefined` when the queue is closed and empty, or the signal aborts. One caller at a time. */
  next(signal: AbortSignal): Promise<QueuedPrompt | undefined>;
}

/** A queue with the prompts that are there already. */
export function createPromptQueue(given: readonly string[]): PromptQueue {
  const waiting: QueuedPrompt[] = given.map((text) => ({ text, accepted: false }));
  let isOpen = true;
  let wake = (): void => undefined;
  return {
    add: (text) => {
      waiting.push({ text, accepted: false });
      wake();
    },
    addLate: (texts) => {
      waiting.unshift(...texts.map((text) => ({ text, accepted: true })));
      wake();
    },
    close: () => {
      isOpen = false;
      wake();
    },
    isOpen: () => isOpen,
    next: async (signal) => {
      while (waiting.length === 0 && isOpen && !signal.aborted) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        signal.addEventListener("abort", wake, { once: true });
        await woken.promise;
        signal.removeEventListener("abort", wake);
      }
      return signal.aborted ? undefined : waiting.shift();
    },
  };
}
