// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Content, GenerateContentParameters, Part as GeminiPart, ThinkingConfig } from "@google/genai/web";
import type { Msg, Part } from "../../history/index.js";
import type { GenSettings, ModelRequest } from "../chat-model.js";
import { wellFormed, wellFormedText, wireId, wireName } from "../wire/index.js";

/** Stands for the signature of calls that another provider's model made (MDL-47). */
const SKIP = "skip_thought_signature_validator";

/** A request in Gemini's form, without what belongs to the connection. */
export function geminiBody(model: string, request: ModelRequest): GenerateContentParameters & { contents: Content[] } {
  const { temperature, topP, seed, maxTokens } = request.settings;
  const thinking = thinkingFor(model, request.settings);
  const declared = request.tools.map(({ name, description, schema }) => ({
    name,
    description: wellFormedText(description),
    parametersJsonSchema: { properties: {}, ...schema, type: "object" },
  }));
  const hasTools = declared.length > 0;
  return {
    model,
    contents: contentsOf(model, request.messages),
    config: {
      ...(request.system.trim() === "" ? {} : { systemInstruction: wellFormedText(request.system) }),
      ...(hasTools
        ? { tools: [{ functionDeclarations: declared.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }] }
        : {}),
      // The SDK's types know this only as an enum of its own.
      ...(hasTools && request.toolChoice === "none"
        ? { toolConfig: { functionCallingConfig: { mode: "NONE" as never } } }
        : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(seed === undefined ? {} : { seed }),
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    },
  };
}

/** Gemini 3 takes levels, 2.5 budgets; a level wins over a budget (MDL-73). */
function thinkingFor(model: string, { effort, thinkingBudget }: GenSettings): ThinkingConfig | undefined {
  const is2 = model.startsWith("gemini-2.5");
  if (!is2 && !isGemini3(model)) return undefined;
  if (!is2 && effort !== undefined) {
    const level = effort === "max" ? "HIGH" : effort.toUpperCase();
    return { includeThoughts: true, thinkingLevel: level as NonNullable<ThinkingConfig["thinkingLevel"]> };
  }
  if (thinkingBudget === undefined) return { includeThoughts: true };
  return { ...(thinkingBudget === 0 ? {} : { includeThoughts: true }), thinkingBudget };
}

function isGemini3(model: string): boolean {
  return /^gemini-([3-9]|\d\d)/.test(model);
}

function contentsOf(model: string, messages: readonly Msg[]): Content[] {
  const contents = messages.flatMap((message): Content[] => {
    if (message.role === "model") return contentOf("model", modelParts(model, message.parts));
    // Results stand in a content of their own, directly after the calls.
    const results = message.parts.filter((part) => part.type === "toolResult");
    const others = message.parts.filter((part) => part.type !== "toolResult");
    return [...contentOf("user", results.flatMap(partOf)), ...contentOf("user", others.flatMap(partOf))];
  });
  return contents[0]?.role === "model" ? [{ role: "user", parts: [{ text: "Continue." }] }, ...contents] : contents;
}

function contentOf(role: string, parts: GeminiPart[]): Content[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

/** Gemini 3 refuses a step whose first call is unsigned. */
function modelParts(model: string, parts: readonly Part[]): GeminiPart[] {
  const mapped = parts.flatMap(partOf);
  const first = mapped.find((part) => part.functionCall !== undefined);
  if (first !== undefined && first.thoughtSignature === undefined && isGemini3(model)) first.thoughtSignature = SKIP;
  return mapped;
}

function partOf(part: Part): GeminiPart[] {
  switch (part.type) {
    case "text": {
      const signed = signatureOf(part);
      const isEmpty = part.text === "" && signed.thoughtSignature === undefined;
      return isEmpty ? [] : [{ text: wellFormedText(part.text), ...signed }];
    }
    case "thought": {
      const signed = signatureOf(part);
      return signed.thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, ...signed }];
    }
    case "toolCall": {
      const functionCall = { id: wireId(part.id), name: wireName(part.name), args: { ...wellFormed(part.args) } };
      return [{ functionCall, ...signatureOf(part) }];
    }
    case "toolResult": {
      const response = { ...wellFormed(part.result) };
      return [{ functionResponse: { id: wireId(part.id), name: wireName(part.name), response } }];
    }
    case "opaque":
      return [];
  }
}

function signatureOf(part: { readonly provider?: string; readonly signature?: string }): { thoughtSignature?: string } {
  return part.provider === "gemini" && part.signature !== undefined ? { thoughtSignature: part.signature } : {};
}
