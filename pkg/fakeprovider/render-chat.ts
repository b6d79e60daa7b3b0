// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, argsTextOf, hasCalls, partsOf, type SseFrame, slices } from "./answer.js";
import type { Rendered } from "./rendered.js";

const STOPS: Readonly<Record<string, string>> = {
  end: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

/** OpenAI Chat Completions. Thinking isn't part of it and is left out. */
export function renderChat(answer: Answer, model: string, id: string): Rendered {
  const sent = partsOf(answer).map((part, i) =>
    part.type === "call" ? { ...part, id: part.id ?? `call_${id}_${i}` } : part,
  );
  const stop = answer.stop ?? (hasCalls(sent) ? "tool_use" : "end");
  const finish = STOPS[stop] ?? stop;
  const text = sent.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = sent.flatMap((part) => (part.type === "call" ? [part] : []));
  const base = { id: `chatcmpl-${id}`, created: 0, model: answer.model ?? model };
  const usage = {
    prompt_tokens: answer.usage?.input ?? 0,
    completion_tokens: answer.usage?.output ?? 0,
    total_tokens: (answer.usage?.input ?? 0) + (answer.usage?.output ?? 0),
    prompt_tokens_details: { cached_tokens: answer.usage?.cached ?? 0 },
  };
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: argsTextOf(call) },
  }));
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const json = {
    ...base,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finish }],
    usage,
  };
  const chunk = (delta: object, finish_reason: string | null = null): SseFrame => ({
    data: { ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
  });
  const length = answer.deltaLength ?? 8;
  const frames: SseFrame[] = [chunk({ role: "assistant", content: "" })];
  for (const content of slices(text, length)) frames.push(chunk({ content }));
  calls.forEach((call, index) => {
    const opened = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    frames.push(chunk({ tool_calls: [opened] }));
    for (const piece of slices(argsTextOf(call), length))
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  });
  frames.push(chunk({}, finish));
  frames.push({ data: { ...base, object: "chat.completion.chunk", choices: [], usage } });
  frames.push({ data: "[DONE]" });
  return { json, frames, sent };
}
