// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, ApprovalRequest, Decision, Question, Ui } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { printable } from "../../output/output.js";
import type { Choice } from "../surface.js";
import type { Theme } from "./theme.js";

/** What asking in the live region needs. */
export interface LiveUiDeps {
  readonly theme: Theme;
  readonly messages: Messages;
  /** `ui.diff_lines`. */
  readonly diffLines: number;
  readonly print: (text: string) => void;
  readonly diff: (text: string, most: number) => void;
  /** Rejects when the signal aborts; `undefined` for Esc and Ctrl+C. */
  readonly choose: (title: string, choices: readonly Choice[], signal: AbortSignal) => Promise<string | undefined>;
  /** A line typed for the question; `undefined` for Esc and Ctrl+C. */
  readonly type: (prompt: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Ends the turn that asks. */
  readonly cancel: () => void;
}

/** Asks by pickers in the live region, one at a time (TUI-15, 50, 51, 66). */
export function createLiveUi(deps: LiveUiDeps): Ui {
  let queue: Promise<unknown> = Promise.resolve();
  const inOrder = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(work);
    queue = mine.catch(() => undefined); // the asker gets the failure; the next question goes on
    return await mine;
  };
  return {
    approve: (request, signal) => inOrder(() => approve(deps, request, signal)),
    ask: (question, signal) => inOrder(() => ask(deps, question, signal)),
  };
}

async function approve(deps: LiveUiDeps, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
  const { theme, messages, diffLines } = deps;
  const { t } = messages;
  const { agent, detail, diff, key, keyLabel } = request;
  const lines = diff === undefined ? 0 : diff.split("\n").length;
  deps.print(
    `${theme.warn("!")} ${printable(detail)}${agent === undefined ? "" : theme.dim(` (${printable(agent)})`)}`,
  );
  if (diff !== undefined) deps.diff(diff, diffLines);
  const isRemembered = key !== "";
  const choices: readonly Choice[] = [
    { key: "once", label: t("live.once"), shortcut: "y" },
    ...(isRemembered ? [{ key: "session", label: t("live.session"), detail: keyLabel, shortcut: "s" }] : []),
    ...(isRemembered ? [{ key: "always", label: t("live.always"), detail: keyLabel, shortcut: "a" }] : []),
    ...(lines > diffLines ? [{ key: "diff", label: t("live.whole_diff"), shortcut: "d" }] : []),
    { key: "deny", label: t("live.deny"), shortcut: "n" },
  ];
  for (;;) {
    const chosen = await deps.choose(t("approval.title"), choices, signal);
    switch (chosen) {
      case "diff":
        deps.diff(diff ?? "", Number.POSITIVE_INFINITY);
        break;
      case "once":
      case "session":
      case "always":
        return chosen;
      case undefined:
        deps.cancel();
        return "deny";
      default:
        return "deny";
    }
  }
}

/** Stands for "another answer", typed on the line: no option has an empty key. */
const OTHER: string = "";

async function ask(deps: LiveUiDeps, question: Question, signal: AbortSignal): Promise<Answer> {
  const { messages, theme } = deps;
  const { plan, options } = question;
  const title = plan === undefined ? question.question : messages.t("question.plan");
  if (plan !== undefined) deps.print(`\n${printable(plan)}\n `);
  const chosen = options.length === 0 ? OTHER : await choose(deps, title, question, signal);
  if (chosen !== undefined && chosen !== OTHER) return { keys: [chosen] };
  if (chosen === OTHER) {
    if (options.length === 0) deps.print(theme.bold(printable(title)));
    const typed = await deps.type(messages.t("question.prompt"), signal);
    if (typed !== undefined) return { text: typed };
  }
  deps.cancel();
  throw new Error("the question was cancelled");
}

async function choose(
  { messages, choose: pick }: LiveUiDeps,
  title: string,
  { options }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  const choices = options.map(({ key, label }, at): Choice => {
    const shown = label === "" ? messages.t(`question.${key}`) : label;
    return { key, label: shown, ...(at < 9 ? { shortcut: String(at + 1) } : {}) };
  });
  return await pick(title, [...choices, { key: OTHER, label: messages.t("live.other") }], signal);
}
