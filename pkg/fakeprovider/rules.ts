// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart, Wire } from "./answer.js";
import { anthropicRules } from "./rules-anthropic.js";
import { geminiRules } from "./rules-gemini.js";
import { imageRules } from "./rules-images.js";
import { chatRules, responsesRules } from "./rules-openai.js";

/** Largest request body the providers take. */
export const MAX_BYTES: number = 32 * 1024 * 1024;

/** A parsed JSON object. */
export type Obj = { readonly [key: string]: unknown };

/** What earlier answers held, to compare with what comes back. */
export type Memory = readonly (readonly AnswerPart[])[];

/** Parses the body strictly; what's wrong with it goes to `problems`. */
export function parseStrict(bytes: Uint8Array, problems: string[]): unknown {
  if (bytes.length > MAX_BYTES) problems.push(`the body has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    problems.push("the body isn't UTF-8");
    return undefined;
  }
  try {
    const body: unknown = JSON.parse(text);
    if (hasLoneSurrogate(body)) problems.push("the body holds an unpaired surrogate");
    return body;
  } catch {
    problems.push("the body isn't JSON");
    return undefined;
  }
}

/** Everything the real provider of this wire would refuse, in words; empty when the request is fine. */
export function check(wire: Wire, body: unknown, model: string, memory: Memory): readonly string[] {
  if (!isObj(body)) return ["the body isn't an object"];
  const problems: string[] = [];
  switch (wire) {
    case "anthropic":
      anthropicRules(body, memory, problems);
      break;
    case "responses":
      responsesRules(body, memory, problems);
      break;
    case "chat":
      chatRules(body, problems);
      break;
    case "gemini":
      geminiRules(body, model, memory, problems);
      break;
  }
  imageRules(body, problems);
  return problems;
}

/** Whether the value is a JSON object. */
export function isObj(value: unknown): value is Obj {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of an array; anything else counts as none. */
export function objs(value: unknown): readonly Obj[] {
  return Array.isArray(value) ? value.filter(isObj) : [];
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Checks names and schemas of the offered tools. */
export function toolRules(
  tools: readonly { readonly name: unknown; readonly schema: unknown }[],
  problems: string[],
): void {
  const seen = new Set<unknown>();
  for (const { name, schema } of tools) {
    if (typeof name !== "string" || !NAME.test(name)) problems.push(`bad tool name ${JSON.stringify(name)}`);
    if (seen.has(name)) problems.push(`tool ${String(name)} is offered twice`);
    seen.add(name);
    if (!isObj(schema) || schema["type"] !== "object") problems.push(`schema of ${String(name)} isn't an object's`);
    else for (const ref of danglingRefs(schema, schema)) problems.push(`schema of ${String(name)}: no ${ref}`);
  }
}

/** Checks that an id is well-formed and new. */
export function idRule(id: unknown, seen: Set<unknown>, problems: string[]): void {
  if (typeof id !== "string" || !NAME.test(id)) problems.push(`bad call id ${JSON.stringify(id)}`);
  if (seen.has(id)) problems.push(`call id ${String(id)} is used twice`);
  seen.add(id);
}

/** Checks that exactly these calls are answered, in any order. */
export function pairRule(calls: readonly unknown[], results: readonly unknown[], problems: string[]): void {
  for (const id of calls) {
    const n = results.filter((result) => result === id).length;
    if (n !== 1) problems.push(`call ${String(id)} has ${n} results directly after it`);
  }
  for (const id of results) if (!calls.includes(id)) problems.push(`result ${String(id)} without its call`);
}

function danglingRefs(root: Obj, node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((item) => danglingRefs(root, item));
  if (!isObj(node)) return [];
  const inside = Object.values(node).flatMap((value) => danglingRefs(root, value));
  const ref = node["$ref"];
  return typeof ref === "string" && !resolves(root, ref) ? [ref, ...inside] : inside;
}

function resolves(root: Obj, ref: string): boolean {
  if (!ref.startsWith("#")) return false;
  let at: unknown = root;
  for (const step of ref.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Obj)[key] : undefined;
  }
  return at !== undefined;
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isObj(value) && Object.entries(value).some(([key, item]) => !key.isWellFormed() || hasLoneSurrogate(item));
}
