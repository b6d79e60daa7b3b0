// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject, TurnEvent } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { type Output, paint, printable } from "./output.js";
import type { Printer, RunEnd } from "./printer.js";

const DIM: number = 2;
const RED: number = 31;
const CYAN: number = 36;

/** Tools a person sees the effect of: a list, a question, a plan. */
export const SHOWN_OTHERWISE: ReadonlySet<string> = new Set([
  "todo",
  "ask_user_question",
  "enter_plan_mode",
  "exit_plan_mode",
]);

/** Prints for people: the answer on standard output, everything else on standard error (CLI-20). */
export function createTextPrinter(stdout: Output, stderr: Output, messages: Messages): Printer {
  let atLineStart = true;
  const answer = (text: string): void => {
    const clean = printable(text);
    if (clean === "") return;
    stdout.write(clean);
    atLineStart = clean.endsWith("\n");
  };
  const endLine = (): void => {
    if (!atLineStart) stdout.write("\n");
    atLineStart = true;
  };
  const aside = (code: number, text: string): void => {
    endLine();
    stderr.write(`${paint(stderr, code, printable(text))}\n`);
  };
  const event = (shown: TurnEvent): void => {
    switch (shown.type) {
      case "text":
        if (shown.thought || shown.repeat) return;
        answer(shown.text);
        if (!shown.partial) endLine();
        return;
      case "tool_call":
        if (!shown.partial && !SHOWN_OTHERWISE.has(shown.name))
          aside(CYAN, messages.t("tool.line", { name: shown.name, args: summaryOf(shown.args) }).trimEnd());
        return;
      case "tool_result":
        return failure(shown.result);
      case "tasks":
        return aside(DIM, taskLines(shown.items, messages));
      case "notice":
        return aside(shown.error ? RED : DIM, messages.t("notice.line", { text: shown.text }));
      default:
        return shown satisfies never;
    }
  };
  const failure = (result: JsonObject): void => {
    if (typeof result["error"] === "string")
      aside(DIM, messages.t("tool.failed", { error: firstLine(result["error"]) }));
  };

  return {
    accepted: () => undefined,
    event,
    end: async (end) => {
      endLine();
      if (end.error !== undefined)
        stderr.write(`${paint(stderr, RED, printable(messages.t("error.prefix", { message: end.error })))}\n`);
      if (end.usage.input + end.usage.output > 0) stderr.write(`${paint(stderr, DIM, usageLine(end, messages))}\n`);
    },
  };
}

/** The agent's task list as a checklist (TUI-61). */
export function taskLines(items: Extract<TurnEvent, { type: "tasks" }>["items"], messages: Messages): string {
  const marks = { pending: "[ ]", in_progress: "[>]", done: "[x]" } as const;
  const done = items.filter((item) => item.status === "done").length;
  const title = messages.t("tasks.title", { done, total: items.length });
  return [title, ...items.map((item) => `  ${marks[item.status]} ${item.content}`)].join("\n");
}

function usageLine(end: RunEnd, messages: Messages): string {
  const { usage } = end;
  const cost =
    usage.priced && usage.costUsd > 0 ? messages.t("usage.cost", { cost: `$${usage.costUsd.toFixed(4)}` }) : "";
  return messages.t("usage.line", {
    input: usage.input,
    cached: usage.cached,
    output: usage.output,
    calls: usage.calls,
    duration: `${(end.durationMs / 1000).toFixed(1)} s`,
    cost,
  });
}

/** A call's arguments on one short line. */
export function summaryOf(args: JsonObject): string {
  const main = ["command", "path", "pattern", "query", "directory"]
    .map((name) => args[name])
    .find((value) => typeof value === "string");
  const text = typeof main === "string" ? main : Object.keys(args).length === 0 ? "" : JSON.stringify(args);
  const points = [...firstLine(text)];
  return points.length <= 100 ? points.join("") : `${points.slice(0, 99).join("")}…`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
