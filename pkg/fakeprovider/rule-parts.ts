// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart } from "./answer.js";

/** A parsed JSON object. */
export type Obj = { readonly [key: string]: unknown };

/** What earlier answers held, to compare with what comes back. */
export type Memory = readonly (readonly AnswerPart[])[];

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
