// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, type AnswerPart, argsTextOf, hasCalls, partsOf, type SseFrame, slices } from "./answer.js";
import type { Rendered } from "./rendered.js";

const STOPS: Readonly<Record<string, string>> = {
  end: "end_turn",
  context_full: "model_context_window_exceeded",
};

/** Anthropic Messages. */
export function renderAnthropic(answer: Answer, model: string, id: string): Rendered {
  const sent = partsOf(answer).map((part, i) =>
    part.type === "call" ? { ...part, id: part.id ?? `toolu_${id}_${i}` } : part,
  );
  const stop = answer.stop ?? (hasCalls(sent) ? "tool_use" : "end");
  const usage = usageOf(answer);
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: answer.model ?? model,
    content: sent.map(blockOf),
    stop_reason: STOPS[stop] ?? stop,
    stop_sequence: null,
    stop_details: stop === "refusal" ? { type: "refusal", category: answer.refusal ?? null, explanation: null } : null,
    usage,
  };
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    stop_details: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const frames: SseFrame[] = [{ event: "message_start", data: { type: "message_start", message: start } }];
  sent.forEach((part, index) => {
    frames.push(...blockFrames(part, index, answer.deltaLength ?? 8));
  });
  frames.push({
    event: "message_delta",
    data: {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null, stop_details: message.stop_details },
      usage: { output_tokens: usage.output_tokens },
    },
  });
  frames.push({ event: "message_stop", data: { type: "message_stop" } });
  return { json: message, frames, sent };
}

function usageOf({ usage }: Answer): Record<string, number> & { output_tokens: number } {
  const cached = usage?.cached ?? 0;
  const written = usage?.cacheWrite ?? 0;
  return {
    input_tokens: (usage?.input ?? 0) - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: usage?.output ?? 0,
  };
}

function blockOf(part: AnswerPart): object {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "thinking":
      return { type: "thinking", thinking: part.text, signature: part.signature ?? "" };
    case "redacted":
      return { type: "redacted_thinking", data: part.data };
    case "call":
      return { type: "tool_use", id: part.id, name: part.name, input: part.args ?? {} };
    case "raw":
      return part.block;
  }
}

function blockFrames(part: AnswerPart, index: number, length: number): readonly SseFrame[] {
  const begin = (block: object): SseFrame => ({
    event: "content_block_start",
    data: { type: "content_block_start", index, content_block: block },
  });
  const delta = (change: object): SseFrame => ({
    event: "content_block_delta",
    data: { type: "content_block_delta", index, delta: change },
  });
  const stop: SseFrame = { event: "content_block_stop", data: { type: "content_block_stop", index } };
  switch (part.type) {
    case "text":
      return [
        begin({ type: "text", text: "" }),
        ...slices(part.text, length).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "thinking":
      return [
        begin({ type: "thinking", thinking: "", signature: "" }),
        ...slices(part.text, length).map((thinking) => delta({ type: "thinking_delta", thinking })),
        ...(part.signature === undefined ? [] : [delta({ type: "signature_delta", signature: part.signature })]),
        stop,
      ];
    case "call":
      return [
        begin({ type: "tool_use", id: part.id, name: part.name, input: {} }),
        ...slices(argsTextOf(part), length).map((json) => delta({ type: "input_json_delta", partial_json: json })),
        stop,
      ];
    case "redacted":
    case "raw":
      return [begin(blockOf(part)), stop];
  }
}
