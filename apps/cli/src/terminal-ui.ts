// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, ApprovalRequest, Decision, Question, Ui } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Keyboard } from "./keyboard.js";
import { type Output, paint, printable } from "./output/output.js";

/** What asking a person at the terminal needs. */
export interface TerminalUiDeps {
  readonly out: Output;
  readonly keyboard: Keyboard;
  readonly messages: Messages;
  /** `ui.diff_lines`. */
  readonly diffLines: number;
  /** Ctrl+C or Esc at a question cancels the whole turn (APR-30). */
  readonly cancel: () => void;
}

/** Asks at the terminal: the detail, the coloured diff, then one key (APR-30). One question at a time. */
export function createTerminalUi(deps: TerminalUiDeps): Ui {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(work);
    queue = mine.catch(() => undefined); // the asker gets the failure; the next question goes on
    return await mine;
  };
  return {
    approve: (request, signal) => inTurn(() => approve(deps, request, signal)),
    ask: (question, signal) => inTurn(() => ask(deps, question, signal)),
  };
}

async function approve(deps: TerminalUiDeps, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
  const { out, messages } = deps;
  const answers: Readonly<Record<string, Decision>> =
    request.key === "" ? { y: "once", n: "deny" } : { y: "once", s: "session", a: "always", n: "deny" };
  const show = (): void => out.write(["", ...approvalLines(request, deps), messages.t("approval.prompt")].join("\n"));
  for (
    let shown = show;
    ;
    shown = () => out.write(`\n${messages.t("approval.unknown", { letters: Object.keys(answers).join(" ") })} `)
  ) {
    const key = await deps.keyboard.key(shown, signal);
    if (key === "ctrl-c") {
      out.write("\n");
      deps.cancel();
      return "deny";
    }
    const decision = answers[key.toLowerCase()];
    if (decision !== undefined) {
      out.write(`${key}\n`);
      return decision;
    }
  }
}

/** Where and how a request is shown. */
export type Showing = Pick<TerminalUiDeps, "out" | "messages" | "diffLines">;

/** What is asked and what can be answered: title, detail, the coloured diff, a line an answer. */
export function approvalLines(request: ApprovalRequest, { out, messages, diffLines }: Showing): readonly string[] {
  const { agent, detail, diff, key, keyLabel } = request;
  const { t } = messages;
  const label = { label: printable(keyLabel) };
  return [
    paint(out, 1, agent === undefined ? t("approval.title") : t("approval.agent", { agent })),
    printable(detail),
    ...(diff === undefined ? [] : [colouredDiff(out, diff, diffLines, messages)]),
    t("approval.once"),
    ...(key === "" ? [] : [t("approval.session", label), t("approval.always", label)]),
    t("approval.no"),
  ];
}

const DIFF_COLOURS: Readonly<Record<string, number>> = { "+": 32, "-": 31, "@": 36 };

/** A unified diff in colour, cut with a note of what is left out. */
export function colouredDiff(out: Output, diff: string, most: number, messages: Messages): string {
  const lines = printable(diff).replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, most).map((line) => {
    const colour = line.startsWith("+++") || line.startsWith("---") ? 1 : DIFF_COLOURS[line.charAt(0)];
    return colour === undefined ? line : paint(out, colour, line);
  });
  const cut = lines.length - shown.length;
  return [...shown, ...(cut > 0 ? [messages.t("approval.diff_cut", { lines: cut })] : [])].join("\n");
}

async function ask(deps: TerminalUiDeps, question: Question, signal: AbortSignal): Promise<Answer> {
  const { out, messages } = deps;
  const show = (): void => out.write(["", ...questionLines(question, deps), messages.t("question.prompt")].join("\n"));
  const typed = await deps.keyboard.line(show, (text) => out.write(text), signal);
  out.write("\n");
  if (typed === undefined) {
    deps.cancel();
    throw new Error("the question was cancelled");
  }
  return answerTyped(question, typed);
}

/** The question, or the plan to review, and a numbered line an option (TUI-51). */
export function questionLines(
  { question, plan, options }: Question,
  { out, messages: { t } }: Pick<Showing, "out" | "messages">,
): readonly string[] {
  const head = plan === undefined ? printable(question) : `${t("question.plan")}\n\n${printable(plan)}\n`;
  const lines = options.map(
    ({ key, label }, at) => `[${at + 1}] ${label === "" ? t(`question.${key}`) : printable(label)}`,
  );
  return [paint(out, 1, head), ...lines];
}

/** A number chooses an option; other text is the answer (TUI-51). */
export function answerTyped(question: Question, typed: string): Answer {
  const chosen = question.options[Number(typed.trim()) - 1];
  return chosen === undefined ? { text: typed } : { keys: [chosen.key] };
}
