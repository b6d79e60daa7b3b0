// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { ToolDecl } from "../chat-model.js";
import { wellFormed } from "./well-formed.js";

/** Arguments of a call: usable, or why not (MDL-31). */
export interface ToolArgs {
  readonly args: JsonObject;
  readonly invalid?: string;
}

/**
 * Reads the arguments text of a call. Nothing is repaired: cut-off JSON is never run. Empty text,
 * `null` and the like mean no arguments, and only for a tool that needs none.
 */
export function parseToolArgs(text: string, tool: ToolDecl | undefined): ToolArgs {
  const blank = text.trim() === "";
  if (blank && tool !== undefined && needsNothing(tool)) return { args: {} };
  if (blank) return { args: {}, invalid: "the arguments are empty" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { args: {}, invalid: `the arguments aren't complete JSON (they end with ${JSON.stringify(tail(text))})` };
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { args: wellFormed(value as JsonObject) };
  if (tool !== undefined && takesNothing(tool)) return { args: {} };
  return { args: {}, invalid: `the arguments must be a JSON object, not ${kindOf(value)}` };
}

function needsNothing(tool: ToolDecl): boolean {
  const required = tool.schema["required"];
  return !Array.isArray(required) || required.length === 0;
}

function takesNothing(tool: ToolDecl): boolean {
  const properties = tool.schema["properties"];
  return needsNothing(tool) && (properties === undefined || Object.keys(properties as object).length === 0);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function tail(text: string): string {
  return Array.from(text.slice(-40).toWellFormed()).slice(-30).join("");
}
