// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart } from "./answer.js";
import { idRule, isObj, type Memory, type Obj, objs, pairRule, toolRules } from "./rule-parts.js";

/** What Chat Completions refuses. */
export function chatRules(body: Obj, problems: string[]): void {
  const messages = objs(body["messages"]);
  if (messages.length === 0) problems.push("messages are required");
  toolRules(
    objs(body["tools"]).map((tool) => functionOf(tool["function"])),
    problems,
  );
  const ids = new Set<unknown>();
  messages.forEach((message, i) => {
    if (!["system", "developer", "user", "assistant", "tool"].includes(String(message["role"])))
      problems.push(`message ${i} has role ${String(message["role"])}`);
    if (message["role"] === "tool") return toolMessageRules(messages, i, problems);
    const calls = objs(message["tool_calls"]);
    if (Array.isArray(message["tool_calls"]) && calls.length === 0) problems.push("tool_calls is empty");
    const content = message["content"];
    if (calls.length === 0 && (content === "" || content === null || content === undefined))
      problems.push(`message ${i} has no content`);
    for (const call of calls) {
      idRule(call["id"], ids, problems);
      argumentsRule(functionOf(call["function"]).args, problems);
    }
    if (calls.length > 0)
      pairRule(
        calls.map((call) => call["id"]),
        resultsAfter(messages, i),
        problems,
      );
  });
}

function functionOf(value: unknown): { readonly name: unknown; readonly schema: unknown; readonly args: unknown } {
  const fn: Obj = isObj(value) ? value : {};
  return { name: fn["name"], schema: fn["parameters"], args: fn["arguments"] };
}

function argumentsRule(args: unknown, problems: string[]): void {
  try {
    if (typeof args === "string" && isObj(JSON.parse(args))) return;
  } catch {
    // Said below, like other arguments that aren't an object.
  }
  problems.push("arguments aren't the text of a JSON object");
}

function resultsAfter(messages: readonly Obj[], at: number): readonly unknown[] {
  const ids: unknown[] = [];
  for (const message of messages.slice(at + 1)) {
    if (message["role"] !== "tool") break;
    ids.push(message["tool_call_id"]);
  }
  return ids;
}

function toolMessageRules(messages: readonly Obj[], at: number, problems: string[]): void {
  let i = at;
  while (i > 0 && messages[i]?.["role"] === "tool") i--;
  const calls = objs(messages[i]?.["tool_calls"]).map((call) => call["id"]);
  const id = messages[at]?.["tool_call_id"];
  if (!calls.includes(id)) problems.push(`result ${String(id)} without its call`);
}

/** What the Responses API refuses. */
export function responsesRules(body: Obj, memory: Memory, problems: string[]): void {
  const input = objs(body["input"]);
  if (input.length === 0) problems.push("input is required");
  toolRules(
    objs(body["tools"]).map((tool) => ({ name: tool["name"], schema: tool["parameters"] })),
    problems,
  );
  const ids = new Set<unknown>();
  input.forEach((item, i) => {
    switch (item["type"]) {
      case "function_call":
        idRule(item["call_id"], ids, problems);
        argumentsRule(item["arguments"], problems);
        pairRule([item["call_id"]], outputsOf(input, i), problems);
        break;
      case "function_call_output":
        if (!input.slice(0, i).some((call) => call["type"] === "function_call" && call["call_id"] === item["call_id"]))
          problems.push(`result ${String(item["call_id"])} without its call`);
        if (input.slice(0, i).some((other) => other["type"] === item["type"] && other["call_id"] === item["call_id"]))
          problems.push(`call ${String(item["call_id"])} has two results`);
        break;
      case "reasoning":
        reasoningRules(input, i, memory, problems);
        break;
      default:
        if (item["content"] === "" || (Array.isArray(item["content"]) && item["content"].length === 0))
          problems.push(`item ${i} has no content`);
    }
  });
  reasoningInPlace(input, memory, problems);
}

/** The result of the call at `at`, if only calls, results and what else the model said stand between. */
function outputsOf(input: readonly Obj[], at: number): readonly unknown[] {
  for (const item of input.slice(at + 1)) {
    if (item["type"] === "function_call_output" && item["call_id"] === input[at]?.["call_id"]) return [item["call_id"]];
    if (item["role"] === "assistant") continue;
    if (!["function_call", "function_call_output", "reasoning"].includes(String(item["type"]))) return [];
  }
  return [];
}

function reasoningRules(input: readonly Obj[], at: number, memory: Memory, problems: string[]): void {
  const item = input[at];
  const next = input[at + 1];
  const follows =
    next?.["type"] === "reasoning" || next?.["type"] === "function_call" || next?.["role"] === "assistant";
  if (!follows) problems.push("reasoning without the item it led to");
  if (item !== undefined && !memory.some((sent) => sent.some((part) => sameReasoning(part, item))))
    problems.push("reasoning isn't byte for byte what was sent");
}

function sameReasoning(part: AnswerPart, item: Obj): boolean {
  if (part.type === "redacted") return item["encrypted_content"] === part.data;
  if (part.type !== "thinking" || part.signature !== item["encrypted_content"]) return false;
  return (
    objs(item["summary"])
      .map((piece) => piece["text"])
      .join("") === part.text
  );
}

function reasoningInPlace(input: readonly Obj[], memory: Memory, problems: string[]): void {
  for (const sent of memory) {
    const i = sent.findIndex((part) => part.type === "call");
    const call = sent[i];
    if (call?.type !== "call") continue;
    const at = input.findIndex((item) => item["type"] === "function_call" && item["call_id"] === call.id);
    if (at < 0) continue;
    for (const part of sent.slice(0, i))
      if (part.type === "thinking" && part.signature !== undefined)
        if (!input.slice(0, at).some((item) => sameReasoning(part, item))) problems.push("reasoning left out");
  }
}
