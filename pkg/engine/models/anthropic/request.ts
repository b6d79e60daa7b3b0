// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaToolUnion,
  MessageCreateParamsNonStreaming,
} from "@anthropic-ai/sdk/resources/beta/messages";
import type { Msg, Part } from "../../history/index.js";
import type { ModelRequest } from "../chat-model.js";
import { wellFormed, wellFormedJson, wellFormedText, wireId, wireName } from "../wire/index.js";
import { refusalFallback, settingsFor } from "./abilities.js";

const CACHED = { type: "ephemeral" } as const;

/**
 * A request in the Messages API's form. Keys and tools come in a fixed order, so that the provider's
 * cache hits from call to call (MDL-32).
 */
export function anthropicBody(
  model: string,
  fallbacks: string,
  request: ModelRequest,
): MessageCreateParamsNonStreaming {
  const { thinking, effort, temperature, maxTokens } = settingsFor(model, request.settings);
  const fallback = refusalFallback(model, fallbacks);
  const system = wellFormedText(request.system);
  return {
    model,
    max_tokens: maxTokens,
    cache_control: CACHED,
    ...(system.trim() === "" ? {} : { system: [{ type: "text", text: system, cache_control: CACHED }] }),
    ...toolsOf(request),
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { output_config: { effort } }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(fallback === undefined ? {} : { fallbacks: fallback.fallbacks, betas: [fallback.beta] }),
    messages: messagesOf(request.messages),
  };
}

function toolsOf(request: ModelRequest): { tools?: BetaToolUnion[]; tool_choice?: { type: "none" } } {
  if (request.tools.length === 0) return {};
  const tools = request.tools.map(({ name, description, schema }) => ({
    name,
    description: wellFormedText(description),
    input_schema: { ...(Object.keys(schema).length === 0 ? { properties: {} } : schema), type: "object" as const },
  }));
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { tools: sorted, ...(request.toolChoice === "none" ? { tool_choice: { type: "none" } } : {}) };
}

function messagesOf(messages: readonly Msg[]): BetaMessageParam[] {
  const merged: { role: "user" | "assistant"; content: BetaContentBlockParam[] }[] = [];
  for (const message of messages) {
    const role = message.role === "user" ? "user" : "assistant";
    const blocks = message.parts.flatMap((part) => blockOf(part, role));
    if (blocks.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else merged.push({ role, content: blocks });
  }
  if (merged[0]?.role === "assistant") merged.unshift({ role: "user", content: [{ type: "text", text: "Continue." }] });
  for (const message of merged) if (message.role === "user") message.content.sort(resultsFirst);
  return merged;
}

/** The API wants the results of a batch before anything else the user says. The sort is stable. */
function resultsFirst(a: BetaContentBlockParam, b: BetaContentBlockParam): number {
  return Number(a.type !== "tool_result") - Number(b.type !== "tool_result");
}

function blockOf(part: Part, role: "user" | "assistant"): BetaContentBlockParam[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: wellFormedText(part.text) }];
    case "thought":
      return role === "assistant" && part.provider === "anthropic" ? thoughtBlock(part) : [];
    case "toolCall":
      return [{ type: "tool_use", id: wireId(part.id), name: wireName(part.name), input: wellFormed(part.args) }];
    case "toolResult": {
      const result = {
        type: "tool_result",
        tool_use_id: wireId(part.id),
        content: wellFormedJson(part.result),
      } as const;
      const { error } = part.result;
      return [typeof error === "string" && error !== "" ? { ...result, is_error: true } : result];
    }
    case "opaque":
      return part.provider === "anthropic" ? [part.data as unknown as BetaContentBlockParam] : [];
  }
}

/** Signed and redacted thinking goes back byte for byte; the rest would be refused (MDL-24). */
function thoughtBlock(part: Extract<Part, { type: "thought" }>): BetaContentBlockParam[] {
  if (part.redacted !== undefined) return [{ type: "redacted_thinking", data: part.redacted }];
  if (part.signature === undefined || part.signature === "") return [];
  return [{ type: "thinking", thinking: part.text, signature: part.signature }];
}
