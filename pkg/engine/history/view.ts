// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Event, Msg, Part, ToolCallPart, ToolResultPart } from "./event.js";
import type { LogLine } from "./log-line.js";

/** What a call is answered with when its outcome was never recorded (ENG-102). */
export const UNKNOWN_OUTCOME: string = "interrupted: the tool's outcome is unknown";

/**
 * The model's view of a log: events in order, compactions in the place of what they summarise, every
 * call followed by exactly one result (ENG-102, 103).
 *
 * Repair happens here and not in the file, so positions in the log never shift: a call without a
 * result gets one saying its outcome is unknown, a result without a call is left out.
 */
export function view(log: readonly LogLine[]): Msg[] {
  const messages: Msg[] = [];
  let open: readonly ToolCallPart[] = [];
  const settle = (results: readonly ToolResultPart[]): void => {
    if (open.length === 0) return;
    const byId = new Map(results.map((result) => [result.id, result]));
    messages.push({ role: "user", parts: open.map((call) => byId.get(call.id) ?? unknownOutcome(call)) });
    open = [];
  };
  for (const event of uncompacted(log)) {
    if (event.role === "tool") {
      settle(event.parts.filter((part): part is ToolResultPart => part.type === "toolResult"));
      continue;
    }
    settle([]);
    const parts = event.parts.filter(
      (part) => part.type !== "text" || part.text !== "" || part.signature !== undefined,
    );
    if (parts.length === 0) continue;
    messages.push({ role: event.role, parts });
    open = event.role === "model" ? callsOf(parts) : [];
  }
  settle([]);
  return messages;
}

/** The calls of an answer, in order. */
export function callsOf(parts: readonly Part[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === "toolCall");
}

/** The text of parts without thoughts, joined. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function unknownOutcome(call: ToolCallPart): ToolResultPart {
  return { type: "toolResult", id: call.id, name: call.name, result: { error: UNKNOWN_OUTCOME }, isError: true };
}

/** Events in order, each range that was summarised replaced by its summary as a user's message. */
function uncompacted(log: readonly LogLine[]): Event[] {
  const covered = new Uint8Array(log.length);
  const summaries = new Map<number, Event>();
  for (const line of log) {
    if (!("event" in line) || line.event.compaction === undefined) continue;
    const { from, to, summary, kept } = line.event.compaction;
    for (let at = Math.max(0, from); at < Math.min(to, log.length); at++) {
      covered[at] = 1;
      summaries.delete(at);
    }
    const carried = (kept ?? []).map((item) => `[${item.kind}]\n${item.text}\n\n`).join("");
    const text = `${carried}[Summary of earlier conversation]\n${summary}`;
    summaries.set(Math.max(0, from), { ...line.event, role: "user", author: "user", parts: [{ type: "text", text }] });
  }
  const events: Event[] = [];
  for (const [at, line] of log.entries()) {
    const summary = summaries.get(at);
    if (summary !== undefined) events.push(summary);
    if (covered[at] === 0 && "event" in line && line.event.compaction === undefined) events.push(line.event);
  }
  return events;
}
