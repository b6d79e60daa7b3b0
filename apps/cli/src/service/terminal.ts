// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isatty } from "node:tty";
import type { Request, Ui } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import { createKeyboard } from "../keyboard.js";
import { type Output, printable } from "../output/output.js";
import { messageOf, type Program } from "../program.js";
import { createTerminalUi } from "../terminal-ui.js";
import { createPrompts, type Prompts } from "./prompts.js";
import { answerText } from "./request-words.js";

/** A person at a terminal who answers for turns that run elsewhere. */
export interface Terminal {
  readonly prompts: Prompts;
  /** Says something on a line of its own, also while a prompt waits for a key. */
  say(text: string): void;
  /** Aborts at Ctrl+C or Esc: it leaves, and the turn goes on (CL-22). */
  readonly left: AbortSignal;
}

/** The terminal, or nothing where nobody can answer (CLI-16). */
export async function openTerminal(program: Program, messages: Messages): Promise<Terminal | undefined> {
  const { stdin, stdout, stderr } = program;
  const out = stdout.isTty ? stdout : stderr;
  if (!isatty(0) || !out.isTty) return undefined;
  const leave = new AbortController();
  const lines = trackLines(out);
  const ui: Ui = createTerminalUi({
    out: lines.out,
    keyboard: createKeyboard(stdin()),
    messages,
    diffLines: await diffLinesOf(program),
    cancel: () => leave.abort(new DOMException("interrupted", "AbortError")),
  });
  const say = (text: string): void => {
    lines.endLine();
    stderr.write(`${printable(text)}\n`);
  };
  const prompts = createPrompts({
    ui,
    leave: AbortSignal.any([leave.signal, program.signal]),
    onAnswered: (_request: Request, { won, by, answer }) => {
      if (!won) say(messages.t("follow.too_late", { by, answer: answerText(answer) }));
    },
    onFailed: (error) => say(`blitz: ${messageOf(error)}`),
  });
  return { prompts, say, left: leave.signal };
}

async function diffLinesOf({ configDir, dir, home, env }: Program): Promise<number> {
  const { config } = await loadConfig({ dir: configDir, workspace: dir, home, env });
  return config.ui.diff_lines;
}

/** An output that knows whether a prompt stands on an unfinished line. */
function trackLines(out: Output): { readonly out: Output; readonly endLine: () => void } {
  let isAtStart = true;
  return {
    out: {
      ...out,
      write: (text) => {
        if (text !== "") isAtStart = text.endsWith("\n");
        out.write(text);
      },
    },
    endLine: () => {
      if (!isAtStart) out.write("\n");
      isAtStart = true;
    },
  };
}
