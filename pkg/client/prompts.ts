// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision, Request, Ui } from "@blitz/api";

/** What asking a person needs. */
export interface PromptsDeps {
  readonly ui: () => Ui | undefined;
  readonly answer: (id: string, answer: Decision | Answer) => Promise<unknown>;
  readonly warn: (text: string) => void;
}

/** The prompts a turn's requests open in the front end. */
export interface Prompts {
  readonly answerWith: PromptsDeps["answer"];
  ask(request: Request): void;
  /** It was answered elsewhere or withdrawn: its prompt closes. */
  resolved(id: string): void;
  close(): void;
}

/** Asks through the front end beside the stream; without one, or with one that throws, nothing is answered (CL-05). */
export function createPrompts(deps: PromptsDeps): Prompts {
  const open = new Map<string, AbortController>();
  const resolved = (id: string): void => {
    open.get(id)?.abort();
    open.delete(id);
  };
  const put = async (request: Request, ui: Ui, signal: AbortSignal): Promise<void> => {
    let answer: Decision | Answer;
    try {
      answer =
        "approval" in request ? await ui.approve(request.approval, signal) : await ui.ask(request.question, signal);
    } catch {
      return; // it stays open for other clients
    }
    if (signal.aborted) return;
    await deps.answer(request.id, answer).catch((error: unknown) => {
      deps.warn(`the answer could not be given: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  return {
    answerWith: deps.answer,
    ask: (request) => {
      const ui = deps.ui();
      if (ui === undefined) return;
      const prompt = new AbortController();
      open.set(request.id, prompt);
      void put(request, ui, prompt.signal);
    },
    resolved,
    close: () => {
      for (const id of open.keys()) resolved(id);
    },
  };
}
