// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { Part, Stop } from "../../history/index.js";
import type { ModelFinal, ModelRequest } from "../chat-model.js";
import {
  type About,
  ALIVE,
  createTextJoiner,
  finishParts,
  fromStreamError,
  IGNORED,
  parseToolArgs,
  type Step,
  showing,
  unusable,
  usageOf,
  wellFormedText,
} from "../wire/index.js";
import { createCallPieces, type PendingCall } from "./call-pieces.js";
import { createHeldText, textParts } from "./text-calls.js";

/** A streamed completion being put together. */
export interface ChatAssembly {
  take(chunk: JsonObject): readonly Step[];
  final(): ModelFinal;
}

/** Puts the chunks of a streamed completion together. Usage in any chunk counts once: the last one. */
export function createChatAssembly(about: About, request: ModelRequest): ChatAssembly {
  const text = createTextJoiner();
  const thought = createTextJoiner();
  const held = createHeldText(request.tools);
  const pieces = createCallPieces();
  let finish: string | undefined;
  let usage: JsonObject = {};
  let model = about.model;
  let refused = false;
  const takeDelta = (delta: JsonObject): Step[] => {
    const steps: Step[] = [];
    const said = stringOf(delta["content"]);
    const refusal = stringOf(delta["refusal"]);
    refused ||= refusal !== "";
    const thinking = stringOf(delta["reasoning_content"]) || stringOf(delta["reasoning"]);
    if (thinking !== "") steps.push(showing("thoughtDelta", thought.push(thinking)));
    if (said + refusal !== "") {
      const shown = held.push(text.push(said + refusal));
      steps.push(shown === "" ? ALIVE : showing("textDelta", shown));
    }
    for (const piece of arrayOf(delta["tool_calls"])) {
      const { call, argsText } = pieces.take(piece);
      steps.push(argsText === "" ? ALIVE : callDelta(call, argsText));
    }
    return steps;
  };
  const take = (chunk: JsonObject): readonly Step[] => {
    if (chunk["error"] !== undefined && chunk["error"] !== null) throw fromStreamError(about, chunk["error"]);
    if (typeof chunk["model"] === "string" && chunk["model"] !== "") model = chunk["model"];
    const counted = isObject(chunk["usage"]);
    if (counted) usage = chunk["usage"] as JsonObject;
    const choice = arrayOf(chunk["choices"]).find(({ index }) => index === undefined || index === 0);
    const delta = choice?.["delta"];
    const steps = takeDelta(isObject(delta) ? (delta as JsonObject) : {});
    if (finish !== undefined && steps.length > 0) throw new Error("the answer went on after its end");
    if (typeof choice?.["finish_reason"] === "string" && choice["finish_reason"] !== "") {
      finish = choice["finish_reason"];
      const rest = held.release();
      if (rest !== "" && textParts(rest, request.tools)[0]?.type === "text") steps.push(showing("textDelta", rest));
      steps.push({ alive: true, ended: true });
    }
    return steps.length === 0 ? [counted ? ALIVE : IGNORED] : steps;
  };
  const final = (): ModelFinal =>
    chatFinal(about, request, {
      text: text.text(),
      thought: thought.text(),
      calls: pieces.calls,
      finish,
      usage,
      model,
      refused,
    });
  return { take, final };
}

/** The final of a completion that came in one body. */
export function finalOfCompletion(about: About, body: JsonObject, request: ModelRequest): ModelFinal {
  if (body["error"] !== undefined && body["error"] !== null) throw fromStreamError(about, body["error"]);
  const choice = arrayOf(body["choices"])[0];
  const message = (choice?.["message"] ?? {}) as JsonObject;
  const finish = choice?.["finish_reason"];
  if (typeof finish !== "string") throw unusable(about, "the answer has no finish reason");
  const pieces = createCallPieces();
  arrayOf(message["tool_calls"]).forEach((call, index) => {
    pieces.take({ ...call, index });
  });
  const refusal = stringOf(message["refusal"]);
  return chatFinal(about, request, {
    text: wellFormedText(stringOf(message["content"]) + refusal),
    thought: wellFormedText(stringOf(message["reasoning_content"]) || stringOf(message["reasoning"])),
    calls: pieces.calls,
    finish,
    usage: isObject(body["usage"]) ? (body["usage"] as JsonObject) : {},
    model: stringOf(body["model"]) || about.model,
    refused: refusal !== "",
  });
}

interface Completion {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly PendingCall[];
  readonly finish: string | undefined;
  readonly usage: JsonObject;
  readonly model: string;
  readonly refused: boolean;
}

function chatFinal(about: About, request: ModelRequest, said: Completion): ModelFinal {
  const thought: Part[] =
    said.thought === "" ? [] : [{ type: "thought", text: said.thought, provider: about.provider }];
  const calls = said.calls.map((call) => callPart(call, request));
  const parts = [...thought, ...textParts(said.text, request.tools), ...calls];
  const stop = stopOf(said, parts);
  const details = (said.usage["prompt_tokens_details"] ?? {}) as JsonObject;
  return {
    type: "final",
    parts: finishParts({ parts, stop }, request),
    stop,
    ...(stop === "refusal" ? { refusal: {} } : {}),
    usage: usageOf(said.usage["prompt_tokens"], details["cached_tokens"], 0, said.usage["completion_tokens"]),
    servedBy: said.model,
  };
}

function callPart(call: PendingCall, request: ModelRequest): Part {
  const name = wellFormedText(call.name);
  const tool = request.tools.find((offered) => offered.name === name);
  return { type: "toolCall", id: call.id, name, ...parseToolArgs(call.args.join(""), tool) };
}

function stopOf({ finish, refused }: Completion, parts: readonly Part[]): Stop {
  if (refused || finish === "content_filter") return "refusal";
  if (finish === "length") return "max_tokens";
  return parts.some((part) => part.type === "toolCall") ? "tool_use" : "end";
}

function callDelta(call: PendingCall, argsText: string): Step {
  return { alive: true, shown: { type: "toolCallDelta", id: call.id, name: call.name, argsText } };
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function arrayOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
