// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, type AnswerPart, argsTextOf, partsOf, type SseFrame, slices } from "./answer.js";
import type { Rendered } from "./rendered.js";

/** OpenAI Responses. A thought becomes a reasoning item whose `encrypted_content` is its signature. */
export function renderResponses(answer: Answer, model: string, id: string): Rendered {
  const sent = partsOf(answer).map((part, i) =>
    part.type === "call" ? { ...part, id: part.id ?? `call_${id}_${i}` } : part,
  );
  const output = sent.map((part, index) => itemOf(part, id, index, answer));
  const cut = answer.stop === "max_tokens" ? "max_output_tokens" : answer.stop === "content_filter" ? answer.stop : "";
  const done = {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    status: cut === "" ? "completed" : "incomplete",
    incomplete_details: cut === "" ? null : { reason: cut },
    error: null,
    model: answer.model ?? model,
    output,
    usage: {
      input_tokens: answer.usage?.input ?? 0,
      input_tokens_details: { cached_tokens: answer.usage?.cached ?? 0 },
      output_tokens: answer.usage?.output ?? 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: (answer.usage?.input ?? 0) + (answer.usage?.output ?? 0),
    },
  };
  const begun = { ...done, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const events: object[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
  ];
  sent.forEach((part, index) => {
    events.push(...itemEvents(part, output[index] as Item, index, answer.deltaLength ?? 8));
  });
  events.push({ type: cut === "" ? "response.completed" : "response.incomplete", response: done });
  const frames: SseFrame[] = events.map((event, n) => ({
    event: (event as { type: string }).type,
    data: { ...event, sequence_number: n },
  }));
  return { json: done, frames, sent };
}

type Item = { readonly id: string; readonly type: string } & Readonly<Record<string, unknown>>;

function itemOf(part: AnswerPart, id: string, index: number, answer: Answer): Item {
  switch (part.type) {
    case "text": {
      const refused = answer.stop === "refusal";
      const content = refused
        ? { type: "refusal", refusal: part.text }
        : { type: "output_text", text: part.text, annotations: [], logprobs: [] };
      return { id: `msg_${id}_${index}`, type: "message", role: "assistant", status: "completed", content: [content] };
    }
    case "thinking":
    case "redacted": {
      const summary = part.type === "thinking" ? [{ type: "summary_text", text: part.text }] : [];
      const encrypted_content = part.type === "thinking" ? (part.signature ?? null) : part.data;
      return { id: `rs_${id}_${index}`, type: "reasoning", summary, encrypted_content };
    }
    case "call":
      return {
        id: `fc_${id}_${index}`,
        type: "function_call",
        status: "completed",
        call_id: part.id,
        name: part.name,
        arguments: argsTextOf(part),
      };
    case "raw":
      return part.block as Item;
  }
}

function itemEvents(part: AnswerPart, item: Item, output_index: number, length: number): readonly object[] {
  const at = { item_id: item.id, output_index };
  const added = { type: "response.output_item.added", output_index, item: { ...item, ...emptied(item) } };
  const done = { type: "response.output_item.done", output_index, item };
  const middle: object[] = [];
  if (part.type === "text") {
    const refused = JSON.stringify(item["content"]).includes('"refusal"');
    const kind = refused ? "response.refusal" : "response.output_text";
    for (const delta of slices(part.text, length))
      middle.push({ type: `${kind}.delta`, ...at, content_index: 0, delta, logprobs: [] });
    middle.push({ type: `${kind}.done`, ...at, content_index: 0, [refused ? "refusal" : "text"]: part.text });
  } else if (part.type === "thinking") {
    for (const delta of slices(part.text, length))
      middle.push({ type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta });
  } else if (part.type === "call") {
    for (const delta of slices(argsTextOf(part), length))
      middle.push({ type: "response.function_call_arguments.delta", ...at, delta });
    middle.push({ type: "response.function_call_arguments.done", ...at, arguments: argsTextOf(part) });
  }
  return [added, ...middle, done];
}

function emptied(item: Item): object {
  if (item.type === "function_call") return { arguments: "", status: "in_progress" };
  if (item.type === "message") return { content: [], status: "in_progress" };
  return item.type === "reasoning" ? { summary: [], encrypted_content: null } : {};
}
