// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Answered, Decision, Request, Requests, Ui } from "@blitz/api";

/** What asking for requests of somebody else's turn needs. */
export interface PromptsDeps {
  readonly ui: Ui;
  /** Told after an answer was given, or couldn't be. */
  readonly onAnswered: (request: Request, answered: Answered) => void;
  readonly onFailed: (error: unknown) => void;
  /** Aborts when the person leaves: then nothing more is answered. */
  readonly leave: AbortSignal;
}

/** The requests on this terminal; the first valid answer wins, here or elsewhere (SVC-26). */
export interface Prompts {
  /** Asks, unless it is asked already. */
  ask(request: Request, where: Pick<Requests, "answerRequest">): void;
  /** Whether it is on this terminal and not answered here yet; closes it. */
  withdraw(id: string): boolean;
  /** Whether it is, or was, asked here. */
  isAsked(id: string): boolean;
  /** Withdraws all; resolves when the terminal is as it was. */
  close(): Promise<void>;
}

/** Nothing is asked yet. */
export function createPrompts(deps: PromptsDeps): Prompts {
  const open = new Map<string, AbortController>();
  const asked = new Set<string>();
  const running = new Set<Promise<void>>();

  const put = async (request: Request, where: Pick<Requests, "answerRequest">, signal: AbortSignal): Promise<void> => {
    let answer: Decision | Answer;
    try {
      answer = await ("approval" in request
        ? deps.ui.approve(request.approval, signal)
        : deps.ui.ask(request.question, signal));
    } catch {
      return; // withdrawn, or nobody answers here any more: it stays open for others (CTR-10)
    }
    // A key that leaves comes back as a denial, which must not be given.
    if (signal.aborted) return;
    open.delete(request.id);
    try {
      deps.onAnswered(request, await where.answerRequest(request.id, answer));
    } catch (error) {
      deps.onFailed(error);
    }
  };
  const withdraw = (id: string): boolean => {
    const prompt = open.get(id);
    open.delete(id);
    prompt?.abort();
    return prompt !== undefined;
  };
  return {
    ask: (request, where) => {
      if (asked.has(request.id)) return;
      asked.add(request.id);
      const prompt = new AbortController();
      open.set(request.id, prompt);
      const one = put(request, where, AbortSignal.any([prompt.signal, deps.leave]));
      running.add(one);
      void one.finally(() => running.delete(one));
    },
    withdraw,
    isAsked: (id) => asked.has(id),
    close: async () => {
      for (const id of open.keys()) withdraw(id);
      await Promise.all(running);
    },
  };
}
