// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import { matchesKey } from "@earendil-works/pi-tui";
import { printable } from "../../output/output.js";
import { colouredDiff } from "../../terminal-ui.js";
import type { Program } from "../../program.js";
import type { Choice, Surface, Tone, TurnKeys } from "../surface.js";
import { createActivity } from "./activity.js";
import { createLiveUi } from "./live-ui.js";
import { LiveScreen } from "./live-screen.js";
import { createPicker, type Picked, type Picker } from "./picker.js";
import { PromptEditor } from "./prompt-editor.js";
import { createRegion } from "./region.js";
import { createTheme, type Style } from "./theme.js";
import { createTurnView } from "./turn-view.js";

/** Keys this soon after a request was drawn were meant for the line (APR-64). */
const GUARD_MS: number = 300;

/** Clears the screen and what has scrolled out of it, then goes home. */
const CLEAR: string = "\u001b[H\u001b[2J\u001b[3J";

/** How the session looks (`ui.…`). */
export interface LiveOptions {
  readonly diffLines: number;
  readonly markdown: boolean;
}

interface Asked {
  readonly picker: Picker;
  readonly resolve: (picked: Exclude<Picked, undefined>) => void;
}

interface Reading {
  readonly resolve: (line: string | undefined) => void;
  /** What is typed answers a question: it isn't a prompt. */
  readonly isAnswer: boolean;
}

/**
 * The session on a terminal: finished blocks are printed once, a live region below them holds the open
 * block, the activity and the editor (19). Owns the terminal from the first line to `close`.
 */
export function createLiveSurface(program: Program, messages: Messages, options: LiveOptions): Surface {
  const { stdout, signal } = program;
  const theme = createTheme(stdout.colour, () => undefined);
  const screen = new LiveScreen();
  const editor = new PromptEditor(screen, theme);
  const activity = createActivity(theme, messages);
  const redraw = (): void => screen.requestRender();
  const print = (text: string): void => screen.print(text);
  const view = createTurnView({
    theme,
    messages,
    activity,
    markdown: options.markdown,
    columns: () => screen.columns,
    print,
    redraw,
  });
  let asked: Asked | undefined;
  let reading: Reading | undefined;
  let turn: TurnKeys | undefined;
  const early: string[] = []; // lines typed while nobody read
  let prompt = "";

  screen.addChild(createRegion({ view, activity, editor, picker: () => asked?.picker, rows: () => screen.rows }));
  screen.setFocus(editor);

  const settle = (line: string | undefined): void => {
    const mine = reading;
    reading = undefined;
    mine?.resolve(line);
  };
  const echo = (text: string): void => {
    const [first = "", ...more] = printable(text).split("\n");
    print(["", `${prompt}${first}`, ...more.map((line) => `  ${line}`)].join("\n"));
  };
  editor.onSubmit = (text) => {
    if (reading?.isAnswer === true) return settle(text);
    if (turn !== undefined) {
      if (text === "") return;
      editor.addToHistory(text);
      print(theme.dim(`» ${printable(text).replaceAll("\n", "\n  ")}`));
      return turn.steer(text);
    }
    if (reading === undefined) return void early.push(text);
    if (text !== "") {
      editor.addToHistory(text);
      echo(text);
    }
    settle(text);
  };

  const interrupt = (): void => {
    if (reading?.isAnswer === true || (turn === undefined && editor.getText() === "")) return settle(undefined);
    if (editor.getText() !== "") return editor.setText("");
    turn?.cancel();
  };
  /** Whether the key was one of the session's own. */
  const press = (key: string): boolean => {
    if (asked?.picker.isOpen === true) {
      const picked = asked.picker.press(key);
      if (picked !== undefined) asked.resolve(picked);
      return true;
    }
    if (matchesKey(key, "ctrl+c")) {
      interrupt();
      return true;
    }
    if (matchesKey(key, "escape") && !editor.isShowingAutocomplete()) {
      if (turn !== undefined || reading?.isAnswer === true) interrupt();
      return true;
    }
    if (matchesKey(key, "ctrl+d") && editor.getText() === "") {
      if (turn === undefined) settle(undefined);
      return true;
    }
    if (matchesKey(key, "ctrl+o")) {
      const result = view.lastResult();
      if (result !== undefined) print(theme.dim(result));
      return true;
    }
    return false;
  };
  screen.addInputListener((key) => {
    const isOurs = press(key);
    if (isOurs) redraw();
    return { consume: isOurs };
  });

  const choose = async (
    title: string,
    choices: readonly Choice[],
    current: string | undefined,
    guardMs: number,
    until: AbortSignal,
  ): Promise<string | undefined> => {
    until.throwIfAborted();
    const done = Promise.withResolvers<Exclude<Picked, undefined>>();
    const words = { hint: messages.t("live.picker_hint"), none: messages.t("live.picker_none") };
    const picker = createPicker(title, choices, current, theme, words);
    asked = { picker, resolve: done.resolve };
    const open = setTimeout(() => {
      picker.isOpen = true;
      redraw();
    }, guardMs);
    const onAbort = (): void => done.reject(until.reason);
    until.addEventListener("abort", onAbort, { once: true });
    screen.renderNow();
    try {
      const picked = await done.promise;
      const chosen = picked === "cancelled" ? undefined : choices.find(({ key }) => key === picked.key);
      if (chosen !== undefined) print(theme.dim(`${printable(title)} ${printable(chosen.label)}`));
      return chosen?.key;
    } finally {
      until.removeEventListener("abort", onAbort);
      clearTimeout(open);
      asked = undefined;
      redraw();
    }
  };
  const read = async (show: string, isAnswer: boolean, until: AbortSignal): Promise<string | undefined> => {
    if (until.aborted) return undefined;
    const kept = { prompt: editor.prompt, text: isAnswer ? editor.getText() : undefined };
    if (isAnswer) editor.setText("");
    editor.prompt = theme.bold(theme.good(show));
    const done = Promise.withResolvers<string | undefined>();
    reading = { resolve: done.resolve, isAnswer };
    const onAbort = (): void => settle(undefined);
    until.addEventListener("abort", onAbort, { once: true });
    redraw();
    try {
      return await done.promise;
    } finally {
      until.removeEventListener("abort", onAbort);
      editor.prompt = kept.prompt;
      if (kept.text !== undefined) editor.setText(kept.text);
    }
  };
  const diff = (text: string, most: number): void => print(colouredDiff(stdout, text, most, messages));
  const tones: Readonly<Record<Tone, Style>> = {
    plain: (text) => text,
    dim: theme.dim,
    good: theme.good,
    warn: theme.warn,
    bad: theme.bad,
  };
  screen.start();

  return {
    line: async (show) => {
      const waiting = early.shift();
      prompt = theme.bold(theme.good(show));
      editor.prompt = prompt;
      if (waiting === undefined) return await read(show, false, signal);
      echo(waiting);
      return waiting;
    },
    say: (text, tone = "plain") => print(tones[tone](printable(text).replace(/\n+$/, ""))),
    diff: (text) => diff(text, Number.POSITIVE_INFINITY),
    printer: view.printer,
    ui: createLiveUi({
      theme,
      messages,
      diffLines: options.diffLines,
      print,
      diff,
      choose: (title, choices, until) => choose(title, choices, undefined, GUARD_MS, until),
      type: (show, until) => read(show, true, until),
      cancel: () => turn?.cancel(),
    }),
    turn: (keys) => {
      turn = keys;
      const interrupts = program.takeInterrupts(keys.cancel);
      activity.start(redraw);
      redraw();
      return {
        [Symbol.dispose]: () => {
          turn = undefined;
          activity.stop();
          interrupts[Symbol.dispose]();
          redraw();
        },
      };
    },
    pick: (title, choices, current) => choose(title, choices, current, 0, signal),
    title: (text) => screen.signal(`\u001b]0;${printable(text).replaceAll(/\s+/g, " ")}\u0007`),
    lend: async (use) => {
      using _interrupts = program.takeInterrupts(() => undefined);
      screen.stop();
      try {
        return await use("inherit");
      } finally {
        screen.start();
      }
    },
    clear: () => {
      screen.stop();
      screen.signal(CLEAR);
      screen.start();
    },
    close: () => screen.stop(),
  };
}
