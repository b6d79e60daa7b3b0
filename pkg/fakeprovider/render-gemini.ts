// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, type AnswerPart, partsOf, type SseFrame, slices } from "./answer.js";
import type { Rendered } from "./rendered.js";

const STOPS: Readonly<Record<string, string>> = {
  end: "STOP",
  tool_use: "STOP",
  max_tokens: "MAX_TOKENS",
  refusal: "SAFETY",
};

/** Gemini. A call without an id goes out without one, as the real service often does. */
export function renderGemini(answer: Answer, model: string, id: string): Rendered {
  const sent = partsOf(answer);
  const finishReason = STOPS[answer.stop ?? "end"] ?? answer.stop;
  const base = { modelVersion: answer.model ?? model, responseId: `resp-${id}` };
  const usageMetadata = {
    promptTokenCount: answer.usage?.input ?? 0,
    cachedContentTokenCount: answer.usage?.cached ?? 0,
    candidatesTokenCount: answer.usage?.output ?? 0,
    totalTokenCount: (answer.usage?.input ?? 0) + (answer.usage?.output ?? 0),
  };
  const chunk = (parts: readonly object[], finish?: string): SseFrame => ({
    data: {
      candidates: [
        { index: 0, content: { role: "model", parts }, ...(finish === undefined ? {} : { finishReason: finish }) },
      ],
      usageMetadata,
      ...base,
    },
  });
  const streamed = sent.flatMap((part) => cutPart(part, answer.deltaLength ?? 8));
  const frames = streamed.map((part) => chunk([wirePart(part)]));
  frames.push(chunk([], finishReason));
  const content = { role: "model", parts: sent.map(wirePart) };
  return {
    json: { candidates: [{ index: 0, content, finishReason }], usageMetadata, ...base },
    frames,
    sent,
    streamed,
  };
}

function wirePart(part: AnswerPart): object {
  const signed = "signature" in part && part.signature !== undefined ? { thoughtSignature: part.signature } : {};
  switch (part.type) {
    case "text":
      return { text: part.text, ...signed };
    case "thinking":
      return { text: part.text, thought: true, ...signed };
    case "redacted":
      return { text: "", thoughtSignature: part.data };
    case "call": {
      const call = { ...(part.id === undefined ? {} : { id: part.id }), name: part.name, args: part.args ?? {} };
      return { functionCall: call, ...signed };
    }
    case "raw":
      return part.block;
  }
}

/** Text comes in several chunks; its signature on the last. */
function cutPart(part: AnswerPart, length: number): readonly AnswerPart[] {
  if ((part.type !== "text" && part.type !== "thinking") || part.text === "") return [part];
  const texts = slices(part.text, length);
  const { signature, ...rest } = part;
  return texts.map((text, i) => {
    const isSigned = i === texts.length - 1 && signature !== undefined;
    return isSigned ? { ...rest, text, signature } : { ...rest, text };
  });
}
