// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Event } from "./event.js";

/**
 * One line of a log file. A line that can't be read (torn, damaged, of a newer version) keeps its
 * place in the count and its bytes, and is left out of the model's view (ENG-100).
 */
export type LogLine = { readonly event: Event } | { readonly raw: string; readonly problem: string };

const ROLES: ReadonlySet<unknown> = new Set(["user", "model", "tool"]);

/** Reads one line of a log, without its newline. Never throws. */
export function parseLine(line: string): LogLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { raw: line, problem: "not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { raw: line, problem: "not an object" };
  const found = value as Partial<Record<keyof Event, unknown>>;
  if (found.v !== 1) return { raw: line, problem: `unknown version ${JSON.stringify(found.v)}` };
  if (!ROLES.has(found.role)) return { raw: line, problem: `unknown role ${JSON.stringify(found.role)}` };
  if (!Array.isArray(found.parts) || !found.parts.every(isPart))
    return { raw: line, problem: "parts missing or damaged" };
  return { event: value as Event };
}

/** Splits a log's text into lines. Empty lines don't count; a torn last line does (its append goes on after it). */
export function parseLog(text: string): LogLine[] {
  const lines: LogLine[] = [];
  for (const line of text.split("\n")) {
    const content = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (content !== "") lines.push(parseLine(content));
  }
  return lines;
}

/** The line for an event, with its newline. Text in it is made well-formed Unicode (ENG-105). */
export function formatEvent(event: Event): string {
  return `${JSON.stringify(event, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value))}\n`;
}

function isPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { type, text, id, name, args, result } = part as Readonly<Record<string, unknown>>;
  switch (type) {
    case "text":
    case "thought":
      return typeof text === "string";
    case "toolCall":
      return typeof id === "string" && typeof name === "string" && isObject(args);
    case "toolResult":
      return typeof id === "string" && typeof name === "string" && isObject(result);
    case "opaque":
      return isObject((part as Readonly<Record<string, unknown>>)["data"]);
    default:
      return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
