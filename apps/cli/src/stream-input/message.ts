// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision, JsonObject } from "@blitz/api";

/** A line of standard input (CLI-26). */
export type Message =
  | { readonly type: "user"; readonly text: string }
  | { readonly type: "approval"; readonly id: string; readonly decision: Decision }
  | { readonly type: "answer"; readonly id: string; readonly answer: Answer }
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "interrupt" };

/** Why a line is no message. */
export interface BadLine {
  readonly problem: string;
}

const DECISIONS: ReadonlyMap<unknown, Decision> = new Map<unknown, Decision>([
  ["once", "once"],
  ["yes", "once"],
  ["allow", "once"],
  ["session", "session"],
  ["always", "always"],
]);

/** Reads a line. A decision nobody knows denies (CLI-26). */
export function parseMessage(line: string): Message | BadLine {
  const value = parseObject(line);
  if (value === undefined) return { problem: "the line is no JSON object" };
  const { type, id, text, decision } = value;
  switch (type) {
    case "user":
    case "steer":
      return isText(text) ? { type, text: text.trim() } : { problem: `a ${type} line needs a text` };
    case "approval":
      return isText(id)
        ? { type, id, decision: DECISIONS.get(decision) ?? "deny" }
        : { problem: "an approval line needs an id" };
    case "answer": {
      const answer = answerOf(value);
      return isText(id) && answer !== undefined
        ? { type, id, answer }
        : { problem: "an answer line needs an id, and keys or a text" };
    }
    case "interrupt":
      return { type };
    default:
      return { problem: `unknown type ${JSON.stringify(type) ?? "none"}` };
  }
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function answerOf({ keys, text }: JsonObject): Answer | undefined {
  if (Array.isArray(keys)) return keys.every((key) => typeof key === "string") ? { keys } : undefined;
  return isText(text) ? { text } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
