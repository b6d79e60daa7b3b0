// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Ui } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { createKeyboard } from "../keyboard.js";
import { type Output, paint, printable } from "../output/output.js";
import { createTextPrinter } from "../output/text-printer.js";
import type { Program } from "../program.js";
import { colouredDiff, createTerminalUi } from "../terminal-ui.js";
import { createPipeReader, createTerminalReader, type LineReader } from "./line-reader.js";
import { createLineUi } from "./line-ui.js";
import type { Choice, Surface, Tone } from "./surface.js";

const TONES: Readonly<Record<Tone, number>> = { plain: 0, dim: 2, good: 32, warn: 33, bad: 31 };

/** How often a turn that still works says so in words (TUI-69). */
const STILL_WORKING_MS: number = 30_000;

/** The plain surface: text from top to bottom, no cursor movement, words in place of spinners and marks (TUI-69, BEY-60). */
export function createLineSurface(program: Program, messages: Messages, diffLines: number): Surface {
  const { stdout, signal } = program;
  const stdin = program.stdin();
  const isTerminal = stdin.isTTY === true;
  const write = (text: string): void => stdout.write(text);
  const reader = isTerminal
    ? createTerminalReader(stdin, write, signal, program.takeInterrupts)
    : createPipeReader(stdin, write, signal);
  let cancelTurn = (): void => undefined;
  const say = (text: string, tone: Tone = "plain"): void => {
    const clean = inWords(printable(text), messages);
    stdout.write(`${tone === "plain" ? clean : paint(stdout, TONES[tone], clean)}\n`);
  };
  return {
    line: ({ text, note }) => {
      const prompt = `${text}${note === undefined ? "" : ` [${note.text}]`} › `;
      return reader.read(paint(stdout, 1, prompt));
    },
    completeWith: () => undefined,
    ownsTerminal: false,
    say,
    diff: (text) => stdout.write(`${colouredDiff(stdout, text, Number.POSITIVE_INFINITY, messages)}\n`),
    printer: createTextPrinter(stdout, stdout, messages),
    ui: uiOf(isTerminal, { program, stdout, reader, messages, diffLines, cancel: () => cancelTurn() }),
    turn: ({ cancel }) => {
      cancelTurn = cancel;
      const interrupts = program.takeInterrupts(cancel);
      const working = (): void => say(messages.t("repl.working"), "dim");
      working();
      const timer = setInterval(working, STILL_WORKING_MS);
      return {
        [Symbol.dispose]: () => {
          clearInterval(timer);
          interrupts[Symbol.dispose]();
        },
      };
    },
    lend: async (use) => {
      using _interrupts = program.takeInterrupts(() => undefined);
      return await use(isTerminal ? "inherit" : "ignore");
    },
    pick: async (title, choices, current) => {
      for (const [at, { key, label, detail = "" }] of choices.entries())
        say(`${key === current ? "›" : " "} [${at + 1}] ${label}${detail === "" ? "" : `  ${detail}`}`);
      const typed = ((await reader.read(`${printable(title)} `)) ?? "").trim();
      return choiceOf(typed, choices);
    },
    title: () => undefined,
    clear: () => undefined, // what was said can't be unsaid here
    close: () => reader.close(),
  };
}

/** Marks at the beginning, as words: a reader speaks them, and so does a person who listens (TUI-69). */
function inWords(text: string, { t }: Messages): string {
  if (text.startsWith("✗ ")) return `${t("plain.error")}${text.slice(2)}`;
  if (text.startsWith("! ")) return `${t("plain.warning")}${text.slice(2)}`;
  return text.startsWith("↳ ") ? text.slice(2) : text;
}

/** A number, a key, or text that is found in one label alone chooses (TUI-15). */
function choiceOf(typed: string, choices: readonly Choice[]): string | undefined {
  if (typed === "") return undefined;
  const numbered = choices[Number(typed) - 1] ?? choices.find(({ key }) => key === typed);
  if (numbered !== undefined) return numbered.key;
  const found = choices.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return found.length === 1 ? found[0]?.key : undefined;
}

interface Asking {
  readonly program: Program;
  readonly stdout: Output;
  readonly reader: LineReader;
  readonly messages: Messages;
  readonly diffLines: number;
  readonly cancel: () => void;
}

function uiOf(isTerminal: boolean, { program, stdout, reader, messages, diffLines, cancel }: Asking): Ui {
  if (!isTerminal) return createLineUi({ out: stdout, reader, messages, diffLines });
  return createTerminalUi({ out: stdout, keyboard: createKeyboard(program.stdin()), messages, diffLines, cancel });
}
