// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Backend, Decision, JsonObject, LiveEvent, Request, Ui } from "@blitz/api";
import { requestObject } from "../service/request-words.js";

/** What asking over standard output needs. */
export interface StreamRequestsDeps {
  readonly backend: Pick<Backend, "answerRequest">;
  readonly isAttached: boolean;
  /** Writes one line. */
  readonly write: (line: JsonObject) => void;
}

/** What turns ask, as lines; answers come as lines too, by the ID of the line (CLI-26). */
export interface StreamRequests {
  /** Set at the backend, so that turns ask at all. */
  readonly ui: Ui;
  readonly onLive: (event: LiveEvent) => void;
  /** @throws when nothing waits as `id`, or the answer doesn't fit; what waits goes on waiting */
  answer(id: string, answer: Decision | Answer): Promise<void>;
  /** Nobody answers any more: approvals are denied, questions fail, those that wait and those to come. */
  end(): void;
}

interface Waiting {
  readonly id: string;
  readonly request: Request;
  /** An answer is on its way. */
  isAnswered: boolean;
}

const NOBODY: string = "nobody can answer now: decide yourself and state what you assumed";

/** Nothing waits yet. */
export function createStreamRequests({ backend, isAttached, write }: StreamRequestsDeps): StreamRequests {
  const waiting = new Map<string, Waiting>();
  const ended = new AbortController();
  const count = { approval: 0, question: 0 };

  const show = (request: Request): void => {
    const kind = "approval" in request ? "approval" : "question";
    count[kind] += 1;
    const id = `${kind}-${count[kind]}`;
    waiting.set(id, { id, request, isAnswered: false });
    write(requestObject({ ...request, id }));
  };
  const resolve = ({ id, outcome, by }: Extract<LiveEvent, { type: "resolved" }>): void => {
    const one = [...waiting.values()].find(({ request }) => request.id === id);
    if (one === undefined) return;
    waiting.delete(one.id);
    if (!one.isAnswered) write({ type: "request_resolved", id: one.id, outcome, by });
  };
  return {
    ui: {
      approve: async (_request, signal) => {
        await aborted(AbortSignal.any([signal, ended.signal]));
        return "deny"; // changes nothing when it was answered by a line
      },
      ask: async (question, signal) => {
        await aborted(AbortSignal.any([signal, ended.signal]));
        if (signal.aborted) throw new Error("the question was withdrawn");
        if (question.plan !== undefined) return { keys: ["keep_planning"] }; // the plan is the turn's answer then
        // In the service a question can't fail, since other clients could answer it: it is told the same.
        if (isAttached) return { text: NOBODY };
        throw new Error(NOBODY);
      },
    },
    onLive: (event) => {
      if (event.type === "request") show(event.request);
      if (event.type === "resolved") resolve(event);
    },
    answer: async (id, answer) => {
      const one = waiting.get(id);
      if (one === undefined || one.isAnswered) throw new Error(`nothing waits as ${id}`);
      one.isAnswered = true;
      try {
        const { won, by } = await backend.answerRequest(one.request.id, answer);
        if (!won) write({ type: "request_resolved", id, outcome: "answered", by });
      } catch (error) {
        one.isAnswered = false;
        throw error;
      }
    },
    end: () => ended.abort(),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
