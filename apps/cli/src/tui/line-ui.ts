// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, ApprovalRequest, Decision, Question, Ui } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { type Output, printable } from "../output/output.js";
import { colouredDiff } from "../terminal-ui.js";
import type { LineReader } from "./line-reader.js";

/** What asking on lines needs. */
export interface LineUiDeps {
  readonly out: Output;
  readonly reader: LineReader;
  readonly messages: Messages;
  /** `ui.diff_lines`. */
  readonly diffLines: number;
}

/** Answers by word; anything else denies (TUI-50). */
const DECISIONS: Readonly<Record<string, Decision>> = {
  y: "once",
  yes: "once",
  s: "session",
  session: "session",
  a: "always",
  always: "always",
};

/** Asks on a pipe: one line answers, so that a script reads the same as a person (TUI-15, 50, 51). */
export function createLineUi({ out, reader, messages, diffLines }: LineUiDeps): Ui {
  const { t } = messages;
  const approve = async (request: ApprovalRequest): Promise<Decision> => {
    const label = { label: printable(request.keyLabel) };
    const title = request.agent === undefined ? t("approval.title") : t("approval.agent", { agent: request.agent });
    const lines = [title, printable(request.detail)];
    if (request.diff !== undefined) lines.push(colouredDiff(out, request.diff, diffLines, messages));
    lines.push(t("approval.once"));
    if (request.key !== "") lines.push(t("approval.session", label), t("approval.always", label));
    lines.push(t("approval.no"));
    out.write(`${lines.join("\n")}\n`);
    const typed = ((await reader.read(t("approval.prompt"))) ?? "").trim().toLowerCase();
    const decision = Object.hasOwn(DECISIONS, typed) ? DECISIONS[typed] : undefined;
    if (decision === undefined) return "deny";
    return request.key === "" ? "once" : decision;
  };
  const ask = async (question: Question): Promise<Answer> => {
    const lines = question.plan === undefined ? [question.question] : [t("question.plan"), question.plan];
    const options = question.options.map(({ key, label }, at) =>
      label === "" ? t(`question.${key}`) : `[${at + 1}] ${label}`,
    );
    out.write(`${printable([...lines, ...options].join("\n"))}\n`);
    const typed = await reader.read(t("question.prompt"));
    if (typed === undefined) throw new Error("the input has ended");
    const chosen = question.options[Number(typed.trim()) - 1];
    return chosen === undefined ? { text: typed } : { keys: [chosen.key] };
  };
  return { approve, ask };
}
