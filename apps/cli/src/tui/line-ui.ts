// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, ApprovalRequest, Decision, Question, Ui } from "@blitz/api";
import { answerTyped, approvalLines, questionLines, type Showing } from "../terminal-ui.js";
import type { LineReader } from "./line-reader.js";

/** What asking on lines needs. */
export interface LineUiDeps extends Showing {
  readonly reader: LineReader;
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
export function createLineUi(deps: LineUiDeps): Ui {
  const { out, reader, messages } = deps;
  const approve = async (request: ApprovalRequest): Promise<Decision> => {
    out.write(`${approvalLines(request, deps).join("\n")}\n`);
    const typed = ((await reader.read(messages.t("approval.prompt"))) ?? "").trim().toLowerCase();
    const decision = Object.hasOwn(DECISIONS, typed) ? DECISIONS[typed] : undefined;
    if (decision === undefined) return "deny";
    return request.key === "" ? "once" : decision;
  };
  const ask = async (question: Question): Promise<Answer> => {
    out.write(`${questionLines(question, deps).join("\n")}\n`);
    const typed = await reader.read(messages.t("question.prompt"));
    if (typed === undefined) throw new Error("the input has ended");
    return answerTyped(question, typed);
  };
  return { approve, ask };
}
