// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart } from "./answer.js";
import { isObj, type Memory, type Obj, objs, toolRules } from "./rule-parts.js";

/** Stands for a signature on calls another provider made. */
const SKIP = "skip_thought_signature_validator";

/** What Gemini refuses. */
export function geminiRules(body: Obj, model: string, memory: Memory, problems: string[]): void {
  const contents = objs(body["contents"]);
  if (contents.length === 0) problems.push("contents are required");
  if (contents[0] !== undefined && contents[0]["role"] !== "user") problems.push("the first content isn't the user's");
  const declared = objs(body["tools"]).flatMap((tool) => objs(tool["functionDeclarations"]));
  toolRules(
    declared.map((tool) => ({ name: tool["name"], schema: tool["parametersJsonSchema"] ?? tool["parameters"] })),
    problems,
  );
  contents.forEach((content, i) => {
    const parts = objs(content["parts"]);
    if (!["user", "model"].includes(String(content["role"])))
      problems.push(`content ${i} has role ${String(content["role"])}`);
    if (parts.length === 0) problems.push(`content ${i} has no parts`);
    for (const part of parts) partRules(part, content["role"], memory, problems);
    const next = contents[i + 1];
    const calls = callsOf(parts);
    if (calls.length > 0) pairs(calls, responsesOf(objs(next?.["parts"])), problems);
    const before = callsOf(objs(contents[i - 1]?.["parts"]));
    const results = responsesOf(parts);
    if (results.length > 0 && before.length === 0) problems.push("a function response without its call");
    if (calls.length > 0 && model.startsWith("gemini-3")) firstIsSigned(parts, problems);
    signaturesInPlace(parts, memory, problems);
  });
}

function callsOf(parts: readonly Obj[]): readonly Obj[] {
  return parts.flatMap((part) => (isObj(part["functionCall"]) ? [part["functionCall"]] : []));
}

function responsesOf(parts: readonly Obj[]): readonly Obj[] {
  return parts.flatMap((part) => (isObj(part["functionResponse"]) ? [part["functionResponse"]] : []));
}

function pairs(calls: readonly Obj[], results: readonly Obj[], problems: string[]): void {
  if (calls.length !== results.length)
    problems.push(`${calls.length} calls have ${results.length} results directly after them`);
  const ids = calls.map((call) => call["id"]).filter((id) => id !== undefined);
  if (new Set(ids).size !== ids.length) problems.push("a call id is used twice");
  for (const call of calls) {
    const found = results.filter((result) => result["name"] === call["name"] && result["id"] === call["id"]);
    const twins = calls.filter((other) => other["name"] === call["name"] && other["id"] === call["id"]);
    if (found.length !== twins.length) problems.push(`call of ${String(call["name"])} without its result`);
  }
}

function partRules(part: Obj, role: unknown, memory: Memory, problems: string[]): void {
  const response = part["functionResponse"];
  if (isObj(response) && !isObj(response["response"])) problems.push("a function response isn't an object");
  const call = part["functionCall"];
  if (isObj(call) && role !== "model") problems.push("a function call in a user content");
  if (isObj(call) && call["args"] !== undefined && !isObj(call["args"])) problems.push("args aren't an object");
  const signature = part["thoughtSignature"];
  if (part["text"] === "" && signature === undefined) problems.push("an empty text part");
  if (signature === undefined || (signature === SKIP && isObj(call))) return;
  if (!memory.some((sent) => sent.some((other) => signatureOf(other) === signature && matches(other, part))))
    problems.push("a thoughtSignature isn't on the part it came with");
}

function signatureOf(part: AnswerPart): string | undefined {
  if (part.type === "redacted") return part.data;
  return "signature" in part ? part.signature : undefined;
}

function matches(sent: AnswerPart, part: Obj): boolean {
  const call = part["functionCall"];
  if (sent.type === "call")
    return (
      isObj(call) &&
      call["name"] === sent.name &&
      JSON.stringify(call["args"] ?? {}) === JSON.stringify(sent.args ?? {})
    );
  if (sent.type === "redacted") return part["text"] === "" || part["text"] === undefined;
  return (sent.type === "text" || sent.type === "thinking") && part["text"] === sent.text;
}

/** Gemini 3 wants a signature on the first call of every step. */
function firstIsSigned(parts: readonly Obj[], problems: string[]): void {
  const first = parts.find((part) => isObj(part["functionCall"]));
  if (first !== undefined && first["thoughtSignature"] === undefined)
    problems.push("the first call has no thoughtSignature");
}

/** A call that came signed goes back signed, with the signed parts before it. */
function signaturesInPlace(parts: readonly Obj[], memory: Memory, problems: string[]): void {
  for (const sent of memory) {
    const calls = sent.filter((part) => part.type === "call");
    const back = parts.filter((part) => isObj(part["functionCall"]));
    const isIt =
      calls.length > 0 && calls.length === back.length && calls.every((call, i) => matches(call, back[i] ?? {}));
    if (!isIt) continue;
    for (const part of sent) {
      const signature = signatureOf(part);
      if (signature === undefined) continue;
      if (!parts.some((other) => other["thoughtSignature"] === signature))
        problems.push("a thoughtSignature is left out");
    }
  }
}
