// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions/completions";
import type { Msg, Part } from "../../history/index.js";
import type { ModelRequest } from "../chat-model.js";
import { wellFormedJson, wellFormedText, wireId, wireName } from "../wire/index.js";
import { settingsFor } from "./settings.js";

/** A request in the form of Chat Completions. Thoughts aren't part of it. */
export function chatBody(
  model: string,
  provider: string,
  request: ModelRequest,
): ChatCompletionCreateParamsNonStreaming {
  const { maxTokens, temperature, topP, effort } = settingsFor(model, request.settings);
  const tools = request.tools.map(({ name, description, schema }) => ({
    type: "function" as const,
    function: {
      name,
      description: wellFormedText(description),
      parameters: { properties: {}, ...schema, type: "object" },
    },
  }));
  const limit = provider === "ollama" ? { max_tokens: maxTokens } : { max_completion_tokens: maxTokens };
  return {
    model,
    ...(tools.length === 0 ? {} : { tools: tools.toSorted((a, b) => (a.function.name < b.function.name ? -1 : 1)) }),
    ...(tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...(maxTokens === undefined ? {} : (limit as { max_tokens: number })),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    messages: [
      ...(request.system.trim() === "" ? [] : [{ role: "system" as const, content: wellFormedText(request.system) }]),
      ...request.messages.flatMap(messagesOf),
    ],
  };
}

function messagesOf(message: Msg): ChatCompletionMessageParam[] {
  const text = textOf(message.parts);
  if (message.role === "user") {
    const results = message.parts.flatMap((part): ChatCompletionMessageParam[] =>
      part.type === "toolResult"
        ? [{ role: "tool", tool_call_id: wireId(part.id), content: wellFormedJson(part.result) }]
        : [],
    );
    return text === "" ? results : [...results, { role: "user", content: text }];
  }
  const calls = message.parts.flatMap((part) =>
    part.type === "toolCall"
      ? [
          {
            id: wireId(part.id),
            type: "function" as const,
            function: { name: wireName(part.name), arguments: wellFormedJson(part.args) },
          },
        ]
      : [],
  );
  if (calls.length > 0) return [{ role: "assistant", content: text === "" ? null : text, tool_calls: calls }];
  return text === "" ? [] : [{ role: "assistant", content: text }];
}

function textOf(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) =>
    part.type === "text" && part.text.trim() !== "" ? [wellFormedText(part.text)] : [],
  );
  return texts.join("\n\n");
}
