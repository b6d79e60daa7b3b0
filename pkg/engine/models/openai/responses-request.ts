// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ResponseCreateParamsNonStreaming, ResponseInputItem } from "openai/resources/responses/responses";
import type { Msg, Part } from "../../history/index.js";
import type { ModelRequest } from "../chat-model.js";
import { wellFormedJson, wellFormedText, wireId, wireName } from "../wire/index.js";
import { settingsFor } from "./settings.js";

/** A request in the Responses API's form. Nothing is kept at the server; thoughts travel encrypted. */
export function responsesBody(
  model: string,
  provider: string,
  request: ModelRequest,
): ResponseCreateParamsNonStreaming {
  const { maxTokens, temperature, topP, effort } = settingsFor(model, request.settings);
  const tools = request.tools.map(({ name, description, schema }) => ({
    type: "function" as const,
    name,
    description: wellFormedText(description),
    parameters: { properties: {}, ...schema, type: "object" },
    strict: false,
  }));
  return {
    model,
    store: false,
    include: ["reasoning.encrypted_content"],
    instructions: wellFormedText(request.system),
    ...(tools.length === 0 ? {} : { tools: tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }),
    ...(tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    input: inputOf(provider, request.messages),
  };
}

function inputOf(provider: string, messages: readonly Msg[]): ResponseInputItem[] {
  const items = messages.flatMap(({ role, parts }) => {
    const results = parts.filter((part) => part.type === "toolResult");
    const others = parts.filter((part) => part.type !== "toolResult");
    return [...results, ...others].flatMap((part) => itemOf(provider, role, part));
  });
  // A thought must be followed by what it led to, or the request is refused.
  return items.filter((item, i) => item.type !== "reasoning" || leadsTo(items.slice(i + 1)));
}

function leadsTo(following: readonly ResponseInputItem[]): boolean {
  const next = following.find((item) => item.type !== "reasoning");
  return next?.type === "function_call" || (next !== undefined && "role" in next && next.role === "assistant");
}

function itemOf(provider: string, role: Msg["role"], part: Part): ResponseInputItem[] {
  switch (part.type) {
    case "text": {
      if (part.text.trim() === "") return [];
      const text = wellFormedText(part.text);
      if (role === "user") return [{ type: "message", role: "user", content: [{ type: "input_text", text }] }];
      const phase = part.provider === provider ? phaseOf(part.signature) : {};
      // The types ask for an id here, which the API doesn't want back.
      const content = [{ type: "output_text", text, annotations: [] }];
      return [{ type: "message", role: "assistant", content, ...phase } as unknown as ResponseInputItem];
    }
    case "thought":
      return role === "model" && part.provider === provider ? reasoningItem(part.signature) : [];
    case "toolCall": {
      const call = {
        call_id: wireId(part.id),
        name: wireName(part.name),
        arguments: wellFormedJson(part.args),
      };
      return [{ type: "function_call", ...call }];
    }
    case "toolResult":
      return [{ type: "function_call_output", call_id: wireId(part.id), output: wellFormedJson(part.result) }];
    case "opaque":
      return [];
  }
}

function phaseOf(signature: string | undefined): { phase?: "commentary" | "final_answer" } {
  return signature === "commentary" || signature === "final_answer" ? { phase: signature } : {};
}

/** A thought's signature is the item it came as, without its type. */
function reasoningItem(signature: string | undefined): ResponseInputItem[] {
  return signature === undefined
    ? []
    : [{ type: "reasoning", ...(JSON.parse(signature) as Omit<ReasoningItem, "type">) }];
}

type ReasoningItem = Extract<ResponseInputItem, { type: "reasoning" }>;
