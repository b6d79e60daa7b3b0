// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart } from "./answer.js";
import { idRule, isObj, type Memory, type Obj, objs, pairRule, toolRules } from "./rule-parts.js";

/** What the Messages API refuses. */
export function anthropicRules(body: Obj, memory: Memory, problems: string[]): void {
  if (!Number.isInteger(body["max_tokens"])) problems.push("max_tokens is required");
  const messages = objs(body["messages"]);
  if (messages.length === 0) problems.push("messages are required");
  if (messages[0] !== undefined && messages[0]["role"] !== "user") problems.push("the first message isn't the user's");
  toolRules(
    objs(body["tools"]).map((tool) => ({ name: tool["name"], schema: tool["input_schema"] })),
    problems,
  );
  const thinking = body["thinking"];
  if (isObj(thinking) && thinking["type"] === "enabled") {
    if (Number(thinking["budget_tokens"]) < 1024) problems.push("budget_tokens below 1024");
    if (Number(thinking["budget_tokens"]) >= Number(body["max_tokens"]))
      problems.push("budget_tokens not below max_tokens");
    if (body["temperature"] !== undefined && body["temperature"] !== 1) problems.push("temperature with thinking");
  }
  const ids = new Set<unknown>();
  messages.forEach((message, i) => {
    const blocks = blocksOf(message);
    if (blocks.length === 0) problems.push(`message ${i} has no content`);
    for (const block of blocks) blockRules(block, message["role"], memory, ids, problems);
    if (message["role"] === "assistant") {
      const calls = idsOf(blocks, "tool_use", "id");
      const next = messages[i + 1];
      if (calls.length > 0)
        pairRule(calls, idsOf(next === undefined ? [] : blocksOf(next), "tool_result", "tool_use_id"), problems);
      inPlace(blocks, memory, problems);
    } else orderRules(blocks, messages[i - 1], problems);
  });
}

function blocksOf(message: Obj): readonly Obj[] {
  const content = message["content"];
  return typeof content === "string" ? [{ type: "text", text: content }] : objs(content);
}

function idsOf(blocks: readonly Obj[], type: string, key: string): readonly unknown[] {
  return blocks.filter((block) => block["type"] === type).map((block) => block[key]);
}

function blockRules(block: Obj, role: unknown, memory: Memory, ids: Set<unknown>, problems: string[]): void {
  switch (block["type"]) {
    case "text":
      if (typeof block["text"] !== "string" || block["text"] === "") problems.push("an empty text block");
      break;
    case "tool_use":
      idRule(block["id"], ids, problems);
      if (!isObj(block["input"])) problems.push("tool_use input isn't an object");
      if (role !== "assistant") problems.push("tool_use in a user message");
      break;
    case "thinking":
    case "redacted_thinking":
      if (role !== "assistant") problems.push(`${block["type"]} in a user message`);
      if (!memory.some((sent) => sent.some((part) => same(part, block))))
        problems.push(`${block["type"]} isn't byte for byte what was sent`);
      break;
    default:
  }
}

function same(part: AnswerPart, block: Obj): boolean {
  if (part.type === "redacted") return block["type"] === "redacted_thinking" && block["data"] === part.data;
  if (part.type !== "thinking" || block["type"] !== "thinking") return false;
  return part.text === block["thinking"] && part.signature !== undefined && part.signature === block["signature"];
}

/** Thinking that led to a call comes back before it, whole and in order. */
function inPlace(blocks: readonly Obj[], memory: Memory, problems: string[]): void {
  for (const sent of memory) {
    const call = sent.find((part) => part.type === "call" && blocks.some((block) => block["id"] === part.id));
    if (call === undefined) continue;
    let from = 0;
    for (const part of sent.slice(0, sent.indexOf(call) + 1)) {
      if (part.type === "thinking" && part.signature === undefined) continue;
      if (part.type !== "thinking" && part.type !== "redacted" && part !== call) continue;
      const at = blocks.findIndex(
        (block, i) => i >= from && (part.type === "call" ? block["id"] === part.id : same(part, block)),
      );
      if (at < 0) problems.push(`${part.type} isn't where it was sent`);
      from = at < 0 ? from : at + 1;
    }
  }
}

function orderRules(blocks: readonly Obj[], before: Obj | undefined, problems: string[]): void {
  const first = blocks.findIndex((block) => block["type"] !== "tool_result");
  if (first >= 0 && blocks.slice(first).some((block) => block["type"] === "tool_result"))
    problems.push("tool results don't come first");
  const calls = before === undefined ? [] : idsOf(blocksOf(before), "tool_use", "id");
  for (const id of idsOf(blocks, "tool_result", "tool_use_id"))
    if (!calls.includes(id)) problems.push(`result ${String(id)} without its call`);
}
