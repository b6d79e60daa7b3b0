// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomUUID } from "node:crypto";
import type { CallUsage, Msg, Part, Stop, ToolCallPart } from "../../history/index.js";
import type { ModelRequest } from "../chat-model.js";

/** Text of an empty answer's only part: a final always has one. */
const NOTHING: Part = { type: "text", text: "" };

/** What an adapter read of an answer, before it is made fit for the log. */
export interface Finish {
  readonly parts: readonly Part[];
  readonly stop: Stop;
}

/**
 * Makes an answer fit for the log: every call has an id that is well-formed and new in the session
 * (compatible servers send none, or the same one again and again), an answer that ran out of room
 * doesn't run its last call, and there is at least one part.
 */
export function finishParts({ parts, stop }: Finish, request: ModelRequest): readonly Part[] {
  const used = usedIds(request.messages);
  const last = parts.findLastIndex((part) => part.type === "toolCall");
  const fit = parts.map((part, i): Part => {
    if (part.type !== "toolCall") return part;
    const named = withFreshId(part, used);
    used.add(named.id);
    const isCut = stop === "max_tokens" && i === last && i === parts.length - 1 && named.invalid === undefined;
    return isCut
      ? { ...named, invalid: "the answer was cut off at its length limit, perhaps within this call" }
      : named;
  });
  return fit.length === 0 ? [NOTHING] : fit;
}

const GOOD_ID = /^[A-Za-z0-9_-]{1,64}$/;

function withFreshId(part: ToolCallPart, used: ReadonlySet<string>): ToolCallPart {
  return GOOD_ID.test(part.id) && !used.has(part.id)
    ? part
    : { ...part, id: `call_${randomUUID().replaceAll("-", "")}` };
}

function usedIds(messages: readonly Msg[]): Set<string> {
  const used = new Set<string>();
  for (const message of messages) for (const part of message.parts) if (part.type === "toolCall") used.add(part.id);
  return used;
}

/** A token count as it should be: whole and not negative, whatever the server sent. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Usage with cached and written parts no larger than the whole (ENG-80). */
export function usageOf(input: unknown, cached: unknown, cacheWrite: unknown, output: unknown): CallUsage {
  const whole = count(input);
  const read = Math.min(count(cached), whole);
  return { input: whole, cached: read, cacheWrite: Math.min(count(cacheWrite), whole - read), output: count(output) };
}
