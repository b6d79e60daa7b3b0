// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalStore, SavedAnswer } from "./approval-store.js";
import { describeAnswer, type RememberedAnswer } from "./remembered-answer.js";

/** Answers that hold longer than one request: those of this process and the saved ones (APR-03). */
export interface AnswerMemory {
  covers(key: string): "session" | "saved" | undefined;
  /** Remembers at once; when saving fails, it warns and the answer still holds for the session (APR-12). */
  remember(key: string, label: string, always: boolean): Promise<void>;
  /** Those of this process, then the saved ones (APR-21). */
  list(): readonly RememberedAnswer[];
  /** The number of answers forgotten. */
  revoke(keys: readonly string[]): Promise<number>;
  clear(): Promise<void>;
}

/** What remembering needs. */
export interface AnswerMemoryDeps {
  readonly store: ApprovalStore;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly warn: (text: string) => void;
}

/** A memory with nothing of this process in it yet. */
export function createAnswerMemory({ store, clock, warn }: AnswerMemoryDeps): AnswerMemory {
  const session = new Map<string, SavedAnswer>();
  const revoke = async (keys: readonly string[]): Promise<number> => {
    const forgotten = new Set(keys.filter((key) => session.delete(key)));
    const saved = keys.filter((key) => store.has(key));
    if (saved.length > 0) await store.remove(saved);
    for (const key of saved) forgotten.add(key);
    return forgotten.size;
  };
  return {
    covers: (key) => (session.has(key) ? "session" : store.has(key) ? "saved" : undefined),
    remember: async (key, label, always) => {
      const answer = { key, label, added: new Date(clock()).toISOString() };
      session.set(key, answer);
      if (!always) return;
      try {
        await store.add(answer);
        session.delete(key);
      } catch (error) {
        warn(`approved, but the answer could not be saved: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    list: () => [
      ...[...session.values()].map((answer) => describeAnswer(answer, false)),
      ...store.list().map((answer) => describeAnswer(answer, true)),
    ],
    revoke,
    clear: async () => {
      await revoke([...session.keys(), ...store.list().map(({ key }) => key)]);
    },
  };
}
