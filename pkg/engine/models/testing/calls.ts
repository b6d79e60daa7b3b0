// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Msg, Part } from "../../history/index.js";
import type { ChatModel, ModelError, ModelEvent, ModelFinal, ModelRequest, ToolDecl } from "../chat-model.js";

/** A tool that takes a path. */
export const READ_FILE: ToolDecl = {
  name: "read_file",
  description: "Reads a file.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** A tool without parameters. */
export const NOW: ToolDecl = { name: "now", description: "The time.", schema: { type: "object", properties: {} } };

/** A request with one prompt, and what the test changes of it. */
export function requestFor(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "You are a test.",
    messages: [user("hi")],
    tools: [NOW, READ_FILE],
    settings: {},
    stream: true,
    sessionId: "s-1",
    signal: new AbortController().signal,
    ...changes,
  };
}

/** What a person says. */
export function user(text: string): Msg {
  return { role: "user", parts: [{ type: "text", text }] };
}

/** An answer as it stands in the history, followed by a result for each of its calls. */
export function answered(parts: readonly Part[]): readonly Msg[] {
  const results = parts.flatMap((part): Part[] =>
    part.type === "toolCall" ? [{ type: "toolResult", id: part.id, name: part.name, result: { output: "ok" } }] : [],
  );
  const said: Msg = { role: "model", parts };
  return results.length === 0 ? [said] : [said, { role: "user", parts: results }];
}

/** A finished call. */
export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly final: ModelFinal;
  readonly text: string;
  readonly thought: string;
}

/** Runs a call to its end; fails unless there is exactly one final, last. */
export async function run(model: ChatModel, request: ModelRequest): Promise<Outcome> {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(request)) events.push(event);
  const finals = events.filter((event) => event.type === "final");
  const final = finals[0];
  if (finals.length !== 1 || final === undefined || events.at(-1) !== final)
    throw new Error("expected one final, last");
  const joined = (type: "textDelta" | "thoughtDelta"): string =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  return { events, final, text: joined("textDelta"), thought: joined("thoughtDelta") };
}

/** Runs a call that is to fail; what it threw, and what it yielded before. */
export async function failure(
  model: ChatModel,
  request: ModelRequest,
): Promise<{ readonly error: ModelError; readonly events: readonly ModelEvent[] }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.generate(request)) events.push(event);
  } catch (error) {
    return { error: error as ModelError, events };
  }
  throw new Error("the call was to fail");
}

/** Calls of an answer, without their ids. */
export function callsOf(
  final: ModelFinal,
): readonly { readonly name: string; readonly args: unknown; readonly invalid?: string }[] {
  return final.parts.flatMap((part) =>
    part.type === "toolCall"
      ? [{ name: part.name, args: part.args, ...(part.invalid === undefined ? {} : { invalid: part.invalid }) }]
      : [],
  );
}
