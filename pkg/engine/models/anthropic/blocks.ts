// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { CallUsage, Part, Stop } from "../../history/index.js";
import type { ModelFinal, ModelRequest } from "../chat-model.js";
import { finishParts, parseToolArgs, usageOf, wellFormedText } from "../wire/index.js";

/** A content block once it is whole. `json` is a call's arguments as they came. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly json: string }
  | { readonly type: "fallback"; readonly raw: JsonObject };

/** A whole answer of the Messages API. */
export interface Answer {
  readonly blocks: readonly Block[];
  readonly stopReason: string | null;
  readonly stopDetails: JsonObject | null;
  readonly usage: JsonObject;
  readonly model: string;
}

/** The final of an answer (MDL-24, 28, 29). */
export function finalOf(answer: Answer, request: ModelRequest): ModelFinal {
  const stop = stopOf(answer.stopReason);
  const refusal = stop === "refusal" ? refusalOf(answer.stopDetails) : undefined;
  const parts = partsOf(answer.blocks, request);
  if (refusal !== undefined) parts.push({ type: "text", text: declined(refusal.category) });
  const finished = finishParts({ parts, stop }, request);
  return {
    type: "final",
    parts: finished,
    stop,
    ...(refusal === undefined ? {} : { refusal }),
    usage: countsOf(answer.usage),
    servedBy: servedBy(answer),
  };
}

/** Parts in the order they came. Calls a declining model made before the last fallback aren't run (MDL-24). */
function partsOf(blocks: readonly Block[], request: ModelRequest): Part[] {
  const lastFallback = blocks.findLastIndex((block) => block.type === "fallback");
  return blocks.flatMap((block, i): Part[] => {
    switch (block.type) {
      case "text":
        return block.text === "" ? [] : [{ type: "text", text: wellFormedText(block.text) }];
      case "thinking":
        return [{ type: "thought", text: block.thinking, provider: "anthropic", ...signed(block.signature) }];
      case "redacted_thinking":
        return [{ type: "thought", text: "", provider: "anthropic", redacted: block.data }];
      case "tool_use": {
        if (i < lastFallback) return [];
        const tool = request.tools.find(({ name }) => name === block.name);
        return [
          { type: "toolCall", id: block.id, name: wellFormedText(block.name), ...parseToolArgs(block.json, tool) },
        ];
      }
      case "fallback":
        return [{ type: "opaque", provider: "anthropic", data: block.raw }];
    }
  });
}

function signed(signature: string): { signature?: string } {
  return signature === "" ? {} : { signature };
}

function stopOf(reason: string | null): Stop {
  switch (reason ?? "") {
    case "max_tokens":
      return "max_tokens";
    case "tool_use":
      return "tool_use";
    case "refusal":
      return "refusal";
    case "model_context_window_exceeded":
      return "context_full";
    default:
      return "end";
  }
}

function refusalOf(details: JsonObject | null): { readonly category?: string; readonly explanation?: string } {
  const category = details?.["category"];
  const explanation = details?.["explanation"];
  return {
    ...(typeof category === "string" ? { category } : {}),
    ...(typeof explanation === "string" ? { explanation } : {}),
  };
}

function declined(category: string | undefined): string {
  return `The model declined to continue this request.${category === undefined ? "" : ` (${category})`}`;
}

function countsOf(usage: JsonObject): CallUsage {
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const whole = [fresh, read, written].reduce<number>((sum, n) => sum + usageOf(n, 0, 0, 0).input, 0);
  return usageOf(whole, read, written, usage["output_tokens"]);
}

/** The fallback that answered, if one did; else the model of the message. */
function servedBy(answer: Answer): string {
  const iterations = answer.usage["iterations"];
  const last = (Array.isArray(iterations) ? iterations : []).findLast(
    (step: JsonObject | null) => step?.["type"] === "fallback_message",
  ) as JsonObject | undefined;
  return typeof last?.["model"] === "string" ? last["model"] : answer.model;
}
