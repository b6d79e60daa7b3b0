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
  type TextJoiner,
  unusable,
  usageOf,
  wellFormedText,
} from "../wire/index.js";
import { createHeldText, type HeldText, textParts } from "./text-calls.js";

/** A streamed response being put together. */
export interface ResponseAssembly {
  take(event: JsonObject): Step;
  final(): ModelFinal;
}

interface OpenItem {
  readonly joiner: TextJoiner;
  readonly held: HeldText;
  readonly thought: TextJoiner;
  readonly item: JsonObject;
}

/** Puts the events of a streamed response together. Whole items replace what their pieces said. */
export function createResponseAssembly(about: About, request: ModelRequest): ResponseAssembly {
  const open = new Map<number, OpenItem>();
  const items: JsonObject[] = [];
  let response: JsonObject | undefined;
  const opened = (event: JsonObject): OpenItem => {
    const index = Number(event["output_index"] ?? 0);
    const known = open.get(index);
    const item = (event["item"] ?? known?.item ?? {}) as JsonObject;
    const entry = known ?? {
      joiner: createTextJoiner(),
      thought: createTextJoiner(),
      held: createHeldText(request.tools),
      item,
    };
    open.set(index, entry);
    return entry;
  };
  const take = (event: JsonObject): Step => {
    const type = String(event["type"] ?? "");
    if (event["error"] !== undefined && type === "") throw fromStreamError(about, event["error"]);
    if (response !== undefined && type.startsWith("response.")) throw new Error("the answer went on after its end");
    const delta = typeof event["delta"] === "string" ? event["delta"] : "";
    switch (type) {
      case "error":
        throw fromStreamError(about, event["error"] ?? event);
      case "response.failed":
        throw fromStreamError(about, ((event["response"] ?? {}) as JsonObject)["error"]);
      case "response.created":
      case "response.content_part.added":
      case "response.content_part.done":
        return ALIVE;
      case "response.output_item.added":
        opened(event);
        return ALIVE;
      case "response.output_text.delta":
      case "response.refusal.delta": {
        const { joiner, held } = opened(event);
        const shown = held.push(joiner.push(delta));
        return shown === "" && delta !== "" ? ALIVE : showing("textDelta", shown);
      }
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return showing("thoughtDelta", opened(event).thought.push(delta));
      case "response.function_call_arguments.delta": {
        if (delta === "") return IGNORED;
        const { call_id: id, name } = opened(event).item;
        return { alive: true, shown: { type: "toolCallDelta", id: String(id), name: String(name), argsText: delta } };
      }
      case "response.output_item.done": {
        const item = (event["item"] ?? {}) as JsonObject;
        items[Number(event["output_index"] ?? items.length)] = item;
        return released(opened(event).held, item, request);
      }
      case "response.completed":
      case "response.incomplete":
        response = (event["response"] ?? {}) as JsonObject;
        return { alive: true, ended: true };
      default:
        return IGNORED;
    }
  };
  const final = (): ModelFinal => {
    const said = response ?? {};
    const output = said["output"];
    const whole = Array.isArray(output) && output.length > 0 ? said : { ...said, output: items.filter(Boolean) };
    return finalOfResponse(about, whole, request);
  };
  return { take, final };
}

/** Text held back is shown now, unless it is a call. */
function released(held: HeldText, item: JsonObject, request: ModelRequest): Step {
  const rest = held.release();
  if (rest === "" || item["type"] !== "message") return ALIVE;
  return textParts(rest, request.tools)[0]?.type === "text" ? showing("textDelta", rest) : ALIVE;
}

/** The final of a whole response. */
export function finalOfResponse(about: About, response: JsonObject, request: ModelRequest): ModelFinal {
  const status = response["status"];
  if (response["error"] !== undefined && response["error"] !== null) throw fromStreamError(about, response["error"]);
  if (status !== "completed" && status !== "incomplete") throw unusable(about, "the answer isn't complete");
  const output = Array.isArray(response["output"]) ? (response["output"] as JsonObject[]) : [];
  const refused = output.some((item) => contentOf(item).some((piece) => piece["type"] === "refusal"));
  const parts = output.flatMap((item) => partsOf(about, item, request));
  const stop = stopOf(response, parts, refused);
  const usage = (response["usage"] ?? {}) as JsonObject;
  const details = (usage["input_tokens_details"] ?? {}) as JsonObject;
  return {
    type: "final",
    parts: finishParts({ parts, stop }, request),
    stop,
    ...(stop === "refusal" ? { refusal: {} } : {}),
    usage: usageOf(
      usage["input_tokens"],
      details["cached_tokens"],
      details["cache_write_tokens"],
      usage["output_tokens"],
    ),
    servedBy: String(response["model"] ?? about.model),
  };
}

function stopOf(response: JsonObject, parts: readonly Part[], refused: boolean): Stop {
  const reason = ((response["incomplete_details"] ?? {}) as JsonObject)["reason"];
  if (refused || reason === "content_filter") return "refusal";
  if (response["status"] === "incomplete") return "max_tokens";
  return parts.some((part) => part.type === "toolCall") ? "tool_use" : "end";
}

function contentOf(item: JsonObject): readonly JsonObject[] {
  return Array.isArray(item["content"]) ? (item["content"] as JsonObject[]) : [];
}

function partsOf(about: About, item: JsonObject, request: ModelRequest): readonly Part[] {
  switch (item["type"]) {
    case "message": {
      const phase = typeof item["phase"] === "string" ? { signature: item["phase"], provider: about.provider } : {};
      return contentOf(item).flatMap((piece) =>
        textParts(wellFormedText(String(piece["text"] ?? piece["refusal"] ?? "")), request.tools, phase),
      );
    }
    case "reasoning":
      return [reasoningPart(about.provider, item)];
    case "function_call": {
      const name = wellFormedText(String(item["name"] ?? ""));
      const tool = request.tools.find((offered) => offered.name === name);
      const args = parseToolArgs(String(item["arguments"] ?? ""), tool);
      return [{ type: "toolCall", id: String(item["call_id"] ?? ""), name, ...args }];
    }
    default:
      return [];
  }
}

function reasoningPart(provider: string, item: JsonObject): Part {
  const summary = Array.isArray(item["summary"]) ? (item["summary"] as JsonObject[]) : [];
  const text = summary.map((piece) => String(piece["text"] ?? "")).join("\n\n");
  const encrypted = item["encrypted_content"];
  if (typeof encrypted !== "string") return { type: "thought", text: wellFormedText(text), provider };
  const signature = JSON.stringify({ id: item["id"], summary, encrypted_content: encrypted });
  return { type: "thought", text: wellFormedText(text), provider, signature };
}
