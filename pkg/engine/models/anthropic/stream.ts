// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import {
  type About,
  ALIVE,
  createTextJoiner,
  fromStreamError,
  IGNORED,
  type Step,
  showing,
  type TextJoiner,
} from "../wire/index.js";
import type { Answer, Block } from "./blocks.js";

/** A stream being put together. */
export interface Assembly {
  /** Takes an event; throws what makes the stream unusable. Unknown ones are skipped. */
  take(event: JsonObject): Step;
  answer(): Answer;
}

interface OpenBlock {
  readonly type: string;
  readonly start: JsonObject;
  readonly text: TextJoiner;
  readonly json: string[];
  readonly signature: string[];
}

/** Events that say something; none of them may follow the end. */
const KNOWN: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);

/** Puts the events of a streamed message together. Usage is cumulative: what comes later replaces (MDL-29). */
export function createAssembly(about: About): Assembly {
  const blocks: OpenBlock[] = [];
  let message: JsonObject = {};
  let usage: JsonObject = {};
  let stopReason: string | null = null;
  let stopDetails: JsonObject | null = null;
  let ended = false;
  const counted = (more: unknown): void => {
    const known = Object.entries((more ?? {}) as JsonObject).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    usage = { ...usage, ...Object.fromEntries(known) };
  };
  const take = (event: JsonObject): Step => {
    if (ended && KNOWN.has(String(event["type"]))) throw new Error("the answer went on after its end");
    switch (event["type"]) {
      case "error":
        throw fromStreamError(about, event["error"]);
      case "message_start":
        message = (event["message"] ?? {}) as JsonObject;
        counted(message["usage"]);
        return ALIVE;
      case "content_block_start":
        blocks[Number(event["index"])] = openBlock((event["content_block"] ?? {}) as JsonObject);
        return ALIVE;
      case "content_block_delta": {
        const block = blocks[Number(event["index"])];
        if (block === undefined) throw new Error("a delta for a block that never began");
        return takeDelta(block, (event["delta"] ?? {}) as JsonObject);
      }
      case "content_block_stop":
        return ALIVE;
      case "message_delta": {
        const delta = (event["delta"] ?? {}) as JsonObject;
        stopReason = typeof delta["stop_reason"] === "string" ? delta["stop_reason"] : stopReason;
        stopDetails = (delta["stop_details"] as JsonObject | null | undefined) ?? stopDetails;
        counted(event["usage"]);
        return ALIVE;
      }
      case "message_stop":
        if (stopReason === null) throw new Error("the answer ended without a stop reason");
        ended = true;
        return { alive: true, ended };
      default:
        return IGNORED;
    }
  };
  const answer = (): Answer => {
    const whole = blocks.flatMap(blockOf);
    return { blocks: whole, stopReason, stopDetails, usage, model: String(message["model"] ?? "") };
  };
  return { take, answer };
}

/** A message that came in one body. */
export function wholeAnswer(message: JsonObject): Answer {
  const content = Array.isArray(message["content"]) ? (message["content"] as JsonObject[]) : [];
  return {
    blocks: content.flatMap((block) => blockOf(openBlock(block))),
    stopReason: typeof message["stop_reason"] === "string" ? message["stop_reason"] : null,
    stopDetails: (message["stop_details"] ?? null) as JsonObject | null,
    usage: (message["usage"] ?? {}) as JsonObject,
    model: String(message["model"] ?? ""),
  };
}

function openBlock(start: JsonObject): OpenBlock {
  const block: OpenBlock = {
    type: String(start["type"]),
    start,
    text: createTextJoiner(),
    json: [],
    signature: [],
  };
  if (typeof start["text"] === "string") block.text.push(start["text"]);
  if (typeof start["thinking"] === "string") block.text.push(start["thinking"]);
  if (typeof start["signature"] === "string") block.signature.push(start["signature"]);
  return block;
}

function takeDelta(block: OpenBlock, delta: JsonObject): Step {
  const { text, thinking, partial_json: json, signature } = delta;
  switch (delta["type"]) {
    case "text_delta":
      return showing("textDelta", block.text.push(String(text ?? "")));
    case "thinking_delta":
      return showing("thoughtDelta", block.text.push(String(thinking ?? "")));
    case "signature_delta":
      block.signature.push(String(signature ?? ""));
      return ALIVE;
    case "input_json_delta": {
      const argsText = String(json ?? "");
      if (argsText === "") return IGNORED;
      block.json.push(argsText);
      const { id, name } = block.start;
      return { alive: true, shown: { type: "toolCallDelta", id: String(id), name: String(name), argsText } };
    }
    default:
      return IGNORED;
  }
}

function blockOf(open: OpenBlock | undefined): Block[] {
  if (open === undefined) return [];
  const { start } = open;
  switch (open.type) {
    case "text":
      return [{ type: "text", text: open.text.text() }];
    case "thinking":
      return [{ type: "thinking", thinking: open.text.text(), signature: open.signature.join("") }];
    case "redacted_thinking":
      return [{ type: "redacted_thinking", data: String(start["data"] ?? "") }];
    case "tool_use": {
      const given = JSON.stringify(start["input"] ?? {});
      const json = open.json.length > 0 ? open.json.join("") : given === "{}" ? "" : given;
      return [{ type: "tool_use", id: String(start["id"] ?? ""), name: String(start["name"] ?? ""), json }];
    }
    case "fallback":
      return [{ type: "fallback", raw: start }];
    default:
      return [];
  }
}
