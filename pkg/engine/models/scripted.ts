// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ChatModel, ModelError, ModelEvent, ModelFinal, ModelRequest } from "./chat-model.js";

/** An answer of a scripted model. A plain text is an answer of one text part. */
export type ScriptedAnswer =
  | string
  | (Partial<Omit<ModelFinal, "type">> & {
      /** Thrown instead, after the deltas. */
      readonly error?: ModelError;
      /** Waited for before anything is said; ends early when the call is aborted. */
      readonly delay?: Promise<unknown>;
    });

/** A model that says what it was told to (MDL-80). */
export interface ScriptedModel extends ChatModel {
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
  /** Adds answers for the calls to come. */
  add(...answers: readonly ScriptedAnswer[]): void;
}

/** Makes a model that gives these answers, then `Done.` for ever. For tests, measurements and the demo. */
export function createScriptedModel(
  answers: readonly ScriptedAnswer[],
  about: { readonly provider?: string; readonly name?: string } = {},
): ScriptedModel {
  const queue = [...answers];
  const requests: ModelRequest[] = [];
  const name = about.name ?? "scripted";
  return {
    provider: about.provider ?? "scripted",
    name,
    maxOutput: 16_000,
    requests,
    add: (...more) => void queue.push(...more),
    generate: (request) => {
      requests.push(request);
      return play(queue.shift() ?? "Done.", name, request);
    },
  };
}

async function* play(answer: ScriptedAnswer, name: string, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const said: Exclude<ScriptedAnswer, string> =
    typeof answer === "string" ? { parts: [{ type: "text", text: answer } as const] } : answer;
  const { error, delay, ...rest } = said;
  if (delay !== undefined) await Promise.race([delay, aborted(request.signal)]);
  request.signal.throwIfAborted();
  const parts = rest.parts ?? [];
  if (request.stream)
    for (const part of parts) {
      if (part.type === "text") yield { type: "textDelta", text: part.text };
      else if (part.type === "thought") yield { type: "thoughtDelta", text: part.text };
      else if (part.type === "toolCall")
        yield { type: "toolCallDelta", id: part.id, name: part.name, argsText: JSON.stringify(part.args) };
      request.signal.throwIfAborted();
    }
  if (error !== undefined) throw error;
  const stop = parts.some((part) => part.type === "toolCall") ? "tool_use" : "end";
  const usage = { input: 0, cached: 0, cacheWrite: 0, output: 0 };
  yield { type: "final", parts, stop, usage, servedBy: name, ...rest };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
