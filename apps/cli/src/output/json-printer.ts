// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject, SessionInfo, TurnEvent } from "@blitz/api";
import type { Output } from "./output.js";
import type { Printer, RunEnd } from "./printer.js";

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  result?: JsonObject;
}

/** `--output-format json`: only the result object, calls paired with their results (CLI-22). */
export function createJsonPrinter(stdout: Output): Printer {
  const calls: ToolCall[] = [];
  let session: SessionInfo | undefined;
  return {
    accepted: (opened) => {
      session = opened;
    },
    event: (event) => {
      if (event.type === "tool_call" && !event.partial)
        calls.push({ id: event.id, name: event.name, args: event.args });
      if (event.type !== "tool_result") return;
      const call = calls.find((one) => one.id === event.id && one.name === event.name && one.result === undefined);
      if (call !== undefined) call.result = event.result;
    },
    end: async (end) => {
      const toolCalls = calls.map(({ name, args, result }) => ({
        name,
        args,
        ...(result === undefined ? {} : { result }),
      }));
      stdout.write(
        jsonLine({ ...resultOf(end, session?.id ?? ""), ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) }),
      );
    },
  };
}

/** `--output-format stream-json`: one object a line, the result object always last (CLI-21). */
export function createStreamJsonPrinter(stdout: Output): Printer {
  let session: SessionInfo | undefined;
  return {
    accepted: (opened, model, agent) => {
      session = opened;
      stdout.write(jsonLine({ type: "session", session_id: opened.id, model, agent }));
    },
    event: (event) => {
      const shown = streamed(event);
      if (shown !== undefined) stdout.write(jsonLine(shown));
    },
    end: async (end) => stdout.write(jsonLine(resultOf(end, session?.id ?? ""))),
  };
}

function streamed(event: TurnEvent): JsonObject | undefined {
  switch (event.type) {
    case "text":
      if (event.thought) return undefined;
      return { type: "text", text: event.text, partial: event.partial, repeat: event.repeat, author: event.author };
    case "tool_call":
      return event.partial ? undefined : { type: "tool_call", id: event.id, name: event.name, args: event.args };
    case "tool_result":
      return { type: "tool_result", id: event.id, name: event.name, result: event.result };
    case "tasks":
      return { type: "tasks", items: event.items };
    case "notice":
      return { type: "notice", text: event.text, error: event.error };
    default:
      return event satisfies never;
  }
}

/** The result object (CLI-23). */
function resultOf(end: RunEnd, sessionId: string): JsonObject {
  const { usage } = end;
  return {
    type: "result",
    session_id: sessionId,
    result: end.answer,
    is_error: end.exitCode !== 0,
    ...(end.error === undefined ? {} : { error: end.error }),
    exit_code: end.exitCode,
    duration_ms: Math.round(end.durationMs),
    usage: {
      input_tokens: usage.input,
      cached_input_tokens: usage.cached,
      output_tokens: usage.output,
      model_calls: usage.calls,
    },
    ...(usage.priced && usage.costUsd > 0 ? { cost_usd: usage.costUsd } : {}),
    ...(end.structured === undefined ? {} : { structured_result: end.structured }),
  };
}

/** JSON on one line; control characters of C1 are escaped too, so no terminal obeys them (T-TUI-3). */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "string" ? one.toWellFormed() : one));
  return `${text.replace(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
