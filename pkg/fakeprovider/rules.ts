// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Wire } from "./answer.js";
import { isObj, type Memory } from "./rule-parts.js";
import { anthropicRules } from "./rules-anthropic.js";
import { geminiRules } from "./rules-gemini.js";
import { imageRules } from "./rules-images.js";
import { chatRules, responsesRules } from "./rules-openai.js";

/** Largest request body the providers take. */
export const MAX_BYTES: number = 32 * 1024 * 1024;

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

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isObj(value) && Object.entries(value).some(([key, item]) => !key.isWellFormed() || hasLoneSurrogate(item));
}
