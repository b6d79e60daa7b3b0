// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomUUID } from "node:crypto";
import type { JsonObject } from "@blitz/api";
import type { Part, Stop } from "../../history/index.js";
import { ModelError, type ModelFinal, type ModelRequest } from "../chat-model.js";
import {
  type About,
  ALIVE,
  createTextJoiner,
  finishParts,
  fromStreamError,
  IGNORED,
  type Step,
  showing,
  type TextJoiner,
  usageOf,
  wellFormed,
  wellFormedText,
} from "../wire/index.js";

/** An answer being put together from one body or from the chunks of a stream. */
export interface GeminiAssembly {
  take(chunk: JsonObject): readonly Step[];
  /** Whether asking once more may help: a garbled call, or nothing at all (MDL-48). */
  garbled(): string | undefined;
  final(): ModelFinal;
}

/** Reasons for which Gemini declines. */
const DECLINES: ReadonlySet<string> = new Set(["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"]);

/** Reasons that mean the model wrote a call nobody can read. */
const GARBLED: ReadonlySet<string> = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]);

type OpenPart =
  | { readonly type: "text" | "thought"; readonly joiner: TextJoiner; readonly signature?: string }
  | { readonly type: "call"; readonly part: Part };

/** Puts an answer together. A signed part stays a part of its own: its signature goes back on it alone (MDL-47). */
export function createGeminiAssembly(about: About, request: ModelRequest): GeminiAssembly {
  const open: OpenPart[] = [];
  let usage: JsonObject = {};
  let model = about.model;
  let reason: string | undefined;
  let blocked: string | undefined;
  const takePart = (part: JsonObject): Step => {
    const call = part["functionCall"] as JsonObject | undefined;
    const signature = typeof part["thoughtSignature"] === "string" ? { signature: part["thoughtSignature"] } : {};
    if (call !== undefined) {
      const made = callPart(call, signature);
      open.push({ type: "call", part: made });
      return {
        alive: true,
        shown: { type: "toolCallDelta", id: made.id, name: made.name, argsText: JSON.stringify(made.args) },
      };
    }
    if (typeof part["text"] !== "string") return IGNORED;
    const type = part["thought"] === true ? "thought" : "text";
    if (part["text"] === "" && signature.signature === undefined) return IGNORED;
    const last = open.at(-1);
    const joins = last?.type === type && last.signature === undefined && signature.signature === undefined;
    const joiner = joins ? last.joiner : createTextJoiner();
    if (!joins) open.push({ type, joiner, ...signature });
    const shown = joiner.push(part["text"]);
    return shown === "" ? ALIVE : showing(type === "text" ? "textDelta" : "thoughtDelta", shown);
  };
  const take = (chunk: JsonObject): readonly Step[] => {
    if (chunk["error"] !== undefined) throw fromStreamError(about, chunk["error"]);
    if (typeof chunk["modelVersion"] === "string") model = chunk["modelVersion"];
    const counted = chunk["usageMetadata"] as JsonObject | undefined;
    if (counted !== undefined) usage = counted;
    const candidate = (Array.isArray(chunk["candidates"]) ? chunk["candidates"][0] : undefined) as
      | JsonObject
      | undefined;
    const parts = ((candidate?.["content"] ?? {}) as JsonObject)["parts"];
    const wasEnded = reason !== undefined || blocked !== undefined;
    const steps: Step[] = (Array.isArray(parts) ? (parts as JsonObject[]) : []).map(takePart);
    if (wasEnded && steps.some((step) => step.alive)) throw new Error("the answer went on after its end");
    const block = ((chunk["promptFeedback"] ?? {}) as JsonObject)["blockReason"];
    if (typeof block === "string") blocked = block;
    if (typeof candidate?.["finishReason"] === "string") reason = candidate["finishReason"];
    const ended = reason !== undefined || blocked !== undefined;
    return [...steps, ended ? { alive: true, ended } : counted === undefined ? IGNORED : ALIVE];
  };
  const parts = (): Part[] => open.map(partOf);
  return {
    take,
    garbled: () => {
      if (reason !== undefined && GARBLED.has(reason)) return reason;
      const isEmpty = parts().every(
        (part) => part.type === "thought" || (part.type === "text" && part.text.trim() === ""),
      );
      return reason === "STOP" && isEmpty ? "the model answered nothing" : undefined;
    },
    final: () => finalOf(about, request, { parts: parts(), reason, blocked, usage, model }),
  };
}

interface Answer {
  readonly parts: Part[];
  readonly reason: string | undefined;
  readonly blocked: string | undefined;
  readonly usage: JsonObject;
  readonly model: string;
}

function finalOf(about: About, request: ModelRequest, answer: Answer): ModelFinal {
  const { reason, blocked, parts, usage } = answer;
  const stop = stopOf(about, answer);
  const why = blocked ?? reason ?? "";
  if (stop === "refusal") parts.push({ type: "text", text: `The model declined to continue this request. (${why})` });
  const prompt = [usage["promptTokenCount"], usage["toolUsePromptTokenCount"]].reduce<number>(sum, 0);
  const output = [usage["candidatesTokenCount"], usage["thoughtsTokenCount"]].reduce<number>(sum, 0);
  return {
    type: "final",
    parts: finishParts({ parts, stop }, request),
    stop,
    ...(stop === "refusal" ? { refusal: { category: why } } : {}),
    usage: usageOf(prompt, usage["cachedContentTokenCount"], 0, output),
    servedBy: answer.model,
  };
}

function stopOf(about: About, { reason, blocked, parts }: Answer): Stop {
  if (blocked !== undefined || (reason !== undefined && DECLINES.has(reason))) return "refusal";
  if (reason === "MAX_TOKENS") return "max_tokens";
  if (reason === "STOP") return parts.some((part) => part.type === "toolCall") ? "tool_use" : "end";
  throw new ModelError("api", `gemini stopped the answer: ${reason ?? "no reason given"}`, about);
}

function sum(total: number, n: unknown): number {
  return total + usageOf(n, 0, 0, 0).input;
}

function callPart(call: JsonObject, signature: { signature?: string }): Extract<Part, { type: "toolCall" }> {
  const { id, name, args } = call;
  const isUsable = args === undefined || (typeof args === "object" && args !== null && !Array.isArray(args));
  return {
    type: "toolCall",
    id: typeof id === "string" && id !== "" ? id : `call_${randomUUID().replaceAll("-", "")}`,
    name: wellFormedText(String(name ?? "")),
    args: isUsable ? wellFormed((args ?? {}) as JsonObject) : {},
    provider: "gemini",
    ...signature,
    ...(isUsable ? {} : { invalid: "the arguments must be a JSON object" }),
  };
}

function partOf(open: OpenPart): Part {
  if (open.type === "call") return open.part;
  const signature = open.signature === undefined ? {} : { signature: open.signature, provider: "gemini" };
  if (open.type === "thought") return { type: "thought", text: open.joiner.text(), provider: "gemini", ...signature };
  return { type: "text", text: open.joiner.text(), ...signature };
}
