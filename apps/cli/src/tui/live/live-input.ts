// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import { type KeyId, matchesKey } from "./pi-tui.js";
import { printable } from "../../output/output.js";
import type { Choice, TurnKeys } from "../surface.js";
import type { LiveScreen } from "./live-screen.js";
import { createPicker, type Picked, type Picker } from "./picker.js";
import type { PromptEditor } from "./prompt-editor.js";
import type { Theme } from "./theme.js";

/** What the input works on. */
export interface LiveInputDeps {
  readonly screen: LiveScreen;
  readonly editor: PromptEditor;
  readonly theme: Theme;
  readonly messages: Messages;
  /** Keys that do something wherever a line is typed. */
  readonly bindings: ReadonlyMap<KeyId, () => void>;
  /** Ctrl+C when there is neither a line nor a turn it could be for. */
  readonly interruptProgram: () => void;
  /** A line was entered: a prompt, or a message for the turn that runs. */
  readonly entered: (text: string, kind: "prompt" | "steer") => void;
}

/** How a picker is shown. */
export interface Choosing {
  readonly current?: string;
  /** Keys this soon after it was drawn were meant for the line (APR-64). */
  readonly guardMs?: number;
  /** Prints no line of what was chosen. */
  readonly isQuiet?: boolean;
  readonly signal: AbortSignal;
}

/** The one owner of the keys: each goes to the line, to a picker, or to the turn (TUI-10). */
export interface LiveInput {
  /** A prompt; `undefined` when the person leaves or the signal aborts. */
  prompt(signal: AbortSignal): Promise<string | undefined>;
  /** A line for a question, beside what stands in the editor; `undefined` for Esc and Ctrl+C. */
  answer(show: string, signal: AbortSignal): Promise<string | undefined>;
  /** One of `choices`; `undefined` for Esc and Ctrl+C. Rejects when the signal aborts. */
  choose(title: string, choices: readonly Choice[], how: Choosing): Promise<string | undefined>;
  /** The turn that runs, for Esc, Ctrl+C and what is entered. */
  setTurn(keys: TurnKeys | undefined): void;
  /** What is being chosen. */
  picker(): Picker | undefined;
  /** What the next key would do, where that isn't plain; "" otherwise. */
  hint(): string;
}

/** Two Esc within this time clear the line (TUI-13). */
const ESC_ESC_MS: number = 600;

/** The input of a live screen; it takes every key from here on. */
export function createLiveInput(deps: LiveInputDeps): LiveInput {
  const { screen, editor, theme, messages, bindings, entered } = deps;
  let asked: { readonly picker: Picker; readonly resolve: (picked: Exclude<Picked, undefined>) => void } | undefined;
  let reading: { readonly isAnswer: boolean; readonly resolve: (line: string | undefined) => void } | undefined;
  let turn: TurnKeys | undefined;
  let escaped: NodeJS.Timeout | undefined;
  const early: (string | undefined)[] = []; // entered while nobody read; `undefined`: leave

  const settle = (line: string | undefined): void => {
    const mine = reading;
    reading = undefined;
    mine?.resolve(line);
  };
  editor.onSubmit = (text) => {
    if (reading?.isAnswer === true) return settle(text);
    if (turn !== undefined) {
      if (text === "") return;
      entered(text, "steer");
      return turn.steer(text);
    }
    if (reading === undefined) return void early.push(text);
    if (text !== "") entered(text, "prompt");
    settle(text);
  };
  const interrupt = (): void => {
    if (reading?.isAnswer === true) return settle(undefined);
    if (editor.getText() !== "") return editor.setText("");
    if (turn !== undefined) turn.cancel();
    else if (reading !== undefined) settle(undefined);
    else deps.interruptProgram();
  };
  const end = (): void => {
    if (reading !== undefined) settle(undefined);
    else if (turn === undefined) early.push(undefined);
  };
  const escape = (): void => {
    if (turn !== undefined || reading?.isAnswer === true) return interrupt();
    if (escaped !== undefined) editor.setText("");
    const isFirst = escaped === undefined && editor.getText() !== "";
    forgetEscape();
    if (!isFirst) return;
    escaped = setTimeout(() => {
      escaped = undefined;
      screen.requestRender();
    }, ESC_ESC_MS);
  };
  const forgetEscape = (): void => {
    clearTimeout(escaped);
    escaped = undefined;
  };
  /** Whether the key was taken here. */
  const press = (key: string): boolean => {
    if (asked?.picker.isOpen === true) {
      const picked = asked.picker.press(key);
      if (picked !== undefined) asked.resolve(picked);
      return true;
    }
    if (matchesKey(key, "escape") && !editor.isShowingAutocomplete()) {
      escape();
      return true;
    }
    forgetEscape();
    if (matchesKey(key, "ctrl+c")) interrupt();
    else if (matchesKey(key, "ctrl+d") && editor.getText() === "") {
      end();
    } else {
      const bound = [...bindings].find(([id]) => matchesKey(key, id));
      if (bound === undefined || reading?.isAnswer === true) return false;
      bound[1]();
    }
    return true;
  };
  screen.addInputListener((key) => {
    const isTaken = press(key);
    if (isTaken) screen.requestRender();
    return { consume: isTaken };
  });

  const read = async (isAnswer: boolean, signal: AbortSignal): Promise<string | undefined> => {
    if (signal.aborted) return undefined;
    const done = Promise.withResolvers<string | undefined>();
    reading = { isAnswer, resolve: done.resolve };
    const onAbort = (): void => settle(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    screen.requestRender();
    try {
      return await done.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  };
  return {
    picker: () => asked?.picker,
    hint: () => (escaped === undefined ? "" : messages.t("live.esc_again")),
    setTurn: (keys) => {
      turn = keys;
    },
    prompt: async (signal) => {
      if (early.length === 0) return await read(false, signal);
      const waiting = early.shift();
      if (waiting !== undefined && waiting !== "") entered(waiting, "prompt");
      return waiting;
    },
    answer: async (show, signal) => {
      const kept = { prompt: editor.prompt, text: editor.getText() };
      editor.prompt = show;
      editor.setText("");
      try {
        return await read(true, signal);
      } finally {
        editor.prompt = kept.prompt;
        editor.setText(kept.text);
      }
    },
    choose: async (title, choices, { current, guardMs = 0, isQuiet = false, signal }) => {
      signal.throwIfAborted();
      const words = { hint: messages.t("live.picker_hint"), none: messages.t("live.picker_none") };
      const picker = createPicker(title, choices, current, theme, words);
      const done = Promise.withResolvers<Exclude<Picked, undefined>>();
      picker.isOpen = guardMs === 0;
      asked = { picker, resolve: done.resolve };
      screen.renderNow();
      const open = setTimeout(() => {
        picker.isOpen = true;
        screen.requestRender();
      }, guardMs);
      const onAbort = (): void => done.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const picked = await done.promise;
        const chosen = picked === "cancelled" ? undefined : choices.find(({ key }) => key === picked.key);
        if (chosen !== undefined && !isQuiet) screen.print(theme.dim(`${printable(title)} ${printable(chosen.label)}`));
        return chosen?.key;
      } finally {
        signal.removeEventListener("abort", onAbort);
        clearTimeout(open);
        asked = undefined;
        screen.requestRender();
      }
    },
  };
}
