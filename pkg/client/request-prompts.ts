// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision, Request, Ui } from "@blitz/api";

/** What asking a person needs. */
export interface PromptsDeps {
  readonly ui: () => Ui | undefined;
  /** Sends an answer; the signal aborts when nobody wants it any more. */
  readonly answer: (id: string, answer: Decision | Answer, signal: AbortSignal) => Promise<unknown>;
  readonly warn: (text: string) => void;
}

/** The prompts a turn's requests open here, each beside the stream and the others (CL-05). */
export interface Prompts {
  /** Asks; a request asked here already isn't asked again. */
  readonly open: (request: Request) => void;
  /** The request was answered elsewhere or withdrawn: its prompt closes. */
  readonly close: (id: string) => void;
  /** Opens and closes what the stream missed: these are all that wait now. */
  readonly sync: (waiting: readonly Request[]) => void;
  readonly closeAll: () => void;
}

/**
 * Prompts for one turn. Without a front end, or with one that throws, nothing is answered: the request stays open for
 * other clients (CTR-10).
 */
export function createPrompts(deps: PromptsDeps): Prompts {
  const asked = new Set<string>();
  const shown = new Map<string, AbortController>();

  const ask = async (request: Request, signal: AbortSignal): Promise<void> => {
    const answer = await answerOf(deps.ui(), request, signal);
    if (answer === undefined || signal.aborted) return;
    try {
      await deps.answer(request.id, answer, signal);
    } catch (error) {
      if (signal.aborted) return;
      asked.delete(request.id); // it may be asked again when the connection is back
      deps.warn(`the answer couldn't be given: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const close = (id: string): void => {
    shown.get(id)?.abort();
    shown.delete(id);
  };
  const open = (request: Request): void => {
    if (asked.has(request.id)) return;
    asked.add(request.id);
    const prompt = new AbortController();
    shown.set(request.id, prompt);
    void ask(request, prompt.signal); // never rejects, and a front end may never settle: closing is what ends it
  };
  return {
    open,
    close,
    sync: (waiting) => {
      for (const id of [...shown.keys()]) if (!waiting.some((request) => request.id === id)) close(id);
      for (const request of waiting) open(request);
    },
    closeAll: () => {
      for (const id of [...shown.keys()]) close(id);
    },
  };
}

async function answerOf(
  ui: Ui | undefined,
  request: Request,
  signal: AbortSignal,
): Promise<Decision | Answer | undefined> {
  try {
    return "approval" in request
      ? await ui?.approve(request.approval, signal)
      : await ui?.ask(request.question, signal);
  } catch {
    return undefined; // nobody could answer here; somebody else may
  }
}
