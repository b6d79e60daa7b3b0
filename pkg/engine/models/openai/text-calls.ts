// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { Part, ToolCallPart } from "../../history/index.js";
import type { ToolDecl } from "../chat-model.js";
import { wellFormed } from "../wire/index.js";

/**
 * A tool call some local models write as text: a text that is JSON, fenced or not, with a name and
 * arguments. Only the name of an offered tool makes it a call, so quoted JSON runs nothing (MDL-41).
 */
export function textCall(text: string, tools: readonly ToolDecl[]): ToolCallPart | undefined {
  const value = jsonObject(unfenced(text.trim()));
  const name = value?.["name"];
  const args = value?.["arguments"] ?? value?.["args"] ?? value?.["parameters"];
  if (typeof name !== "string" || !tools.some((tool) => tool.name === name)) return undefined;
  const given = typeof args === "string" ? jsonObject(args) : args;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  return { type: "toolCall", id: "", name, args: wellFormed(withPath(given as JsonObject)) };
}

/** The parts of a text: a call, or the text itself. */
export function textParts(
  text: string,
  tools: readonly ToolDecl[],
  more: { signature?: string } = {},
): readonly Part[] {
  if (text === "") return [];
  return [textCall(text, tools) ?? { type: "text", text, ...more }];
}

/** Whether text that starts so may turn out to be a call, and must be shown only when complete (MDL-40). */
export function mayBeCall(start: string): boolean {
  const text = start.trimStart();
  return text.startsWith("{") || text.startsWith("```") || (text.length < 3 && "```".startsWith(text));
}

/** Decides piece by piece what of a text can be shown. */
export interface HeldText {
  push(piece: string): string;
  /** What was held back, when the text turned out to be no call. */
  release(): string;
}

/** Holds a text back for as long as it may be a call. Without tools it can't be one. */
export function createHeldText(tools: readonly ToolDecl[]): HeldText {
  let held: string[] | undefined = tools.length > 0 ? [] : undefined;
  let decided = false;
  return {
    push: (piece) => {
      if (held === undefined) return piece;
      held.push(piece);
      const start = decided ? "{" : held.join("");
      if (start.trim() === "" || mayBeCall(start)) {
        decided ||= start.trimStart().length >= 3;
        return "";
      }
      held = undefined;
      return start;
    },
    release: () => {
      const rest = held?.join("") ?? "";
      held = undefined;
      return rest;
    },
  };
}

function unfenced(text: string): string {
  return /^```[a-z_]*\s*\n?([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;
}

function jsonObject(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Models trained on other agents say `file_path`. */
function withPath(args: JsonObject): JsonObject {
  if (args["file_path"] === undefined || args["path"] !== undefined) return args;
  const { file_path: path, ...rest } = args;
  return { path, ...rest };
}
