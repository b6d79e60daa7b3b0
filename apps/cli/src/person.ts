// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isatty } from "node:tty";
import type { LiveEvent, Ui } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { answerText } from "./service/request-words.js";

/** What finding somebody to ask needs. */
export interface PersonDeps {
  readonly program: Program;
  /** Prompts go to standard error when standard output is for a machine. */
  readonly isText: boolean;
  /** Standard input carried the prompt, so it can't carry answers. */
  readonly inputUsed: boolean;
  readonly words: () => Promise<Messages>;
  /** `ui.diff_lines`. */
  readonly diffLines: number;
  readonly cancel: () => void;
}

/** Somebody at this terminal who answers for a run. */
export interface Person {
  readonly ui: Ui;
  /** Says whose answer counts when a prompt on this terminal was answered somewhere else (CL-05). */
  readonly onLive: (event: LiveEvent) => void;
}

/**
 * A person is asked only where one can answer: input is a terminal and didn't carry the prompt (CLI-16).
 * What asking takes is loaded with the first question.
 */
export function findPerson({ program, isText, inputUsed, words, diffLines, cancel }: PersonDeps): Person | undefined {
  const out = isText && program.stdout.isTty ? program.stdout : program.stderr;
  if (!isatty(0) || inputUsed || !out.isTty) return undefined;
  let messages: Messages | undefined;
  let made: Promise<Ui> | undefined;
  let asking = 0;
  const load = async (): Promise<Ui> => {
    const loading = [import("./terminal-ui.js"), import("./keyboard.js"), words()] as const;
    const [{ createTerminalUi }, { createKeyboard }, loaded] = await Promise.all(loading);
    messages = loaded;
    return createTerminalUi({ out, keyboard: createKeyboard(program.stdin()), messages: loaded, diffLines, cancel });
  };
  const asked = async <T>(question: (ui: Ui) => Promise<T>): Promise<T> => {
    made ??= load();
    asking += 1;
    try {
      return await question(await made);
    } finally {
      asking -= 1;
    }
  };
  return {
    ui: {
      approve: (request, waiting) => asked((ui) => ui.approve(request, waiting)),
      ask: (question, waiting) => asked((ui) => ui.ask(question, waiting)),
    },
    onLive: (event) => {
      if (event.type !== "resolved" || asking === 0 || messages === undefined) return;
      const text = messages.t(`follow.resolved.${event.outcome}`, { by: event.by, answer: answerText(event.answer) });
      out.write(`\n${printable(text)}\n`);
    },
  };
}
