// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import type { KeyId } from "./pi-tui.js";
import { callPerson, type Calling } from "../call-person.js";
import { editOutside } from "../external-editor.js";
import type { History } from "../history.js";
import { printable } from "../../output/output.js";
import { colouredDiff } from "../../terminal-ui.js";
import type { Program } from "../../program.js";
import type { LineKeys, Prompt, Surface, Tone } from "../surface.js";
import { createActivity } from "./activity.js";
import { createCompletionMenu } from "./completion-menu.js";
import { createLiveInput } from "./live-input.js";
import { createLiveUi } from "./live-ui.js";
import { LiveScreen } from "./live-screen.js";
import { PromptEditor } from "./prompt-editor.js";
import { createRegion } from "./region.js";
import type { Style } from "./style.js";
import { createTheme } from "./theme.js";
import { createTurnView } from "./turn-view.js";

/** Keys this soon after a request was drawn were meant for the line (APR-64). */
const GUARD_MS: number = 300;

/** Clears the screen and what has scrolled out of it, then goes home. */
const CLEAR: string = "\u001b[H\u001b[2J\u001b[3J";

/** How the session looks and behaves (`ui.…`). */
export interface LiveOptions {
  /** Stands there until the first line is asked for. */
  readonly prompt: Prompt;
  readonly diffLines: number;
  readonly markdown: boolean;
  readonly spinner: boolean;
  readonly notify: Calling;
  /** 0 = never. */
  readonly notifyAfterMs: number;
  readonly history: History;
}

/**
 * The session on a terminal: finished blocks are printed once, a live region below them holds the open
 * block, the activity and the editor (19, ADR 0012). Owns the terminal until `close`.
 */
export function createLiveSurface(program: Program, messages: Messages, options: LiveOptions): Surface {
  const { stdout, signal } = program;
  const theme = createTheme(stdout.colour);
  const screen = new LiveScreen();
  const editor = new PromptEditor(screen, theme);
  const activity = createActivity(theme, messages, options.spinner);
  const redraw = (): void => screen.requestRender();
  const print = (text: string): void => screen.print(text);
  const view = createTurnView({ theme, messages, activity, ...options, columns: () => screen.columns, print, redraw });
  const tones: Readonly<Record<Tone, Style>> = { plain: (text) => text, ...theme };
  const say = (text: string, tone: Tone = "plain"): void => print(tones[tone](printable(text).replace(/\n+$/, "")));
  let keys: LineKeys | undefined;
  let history = options.history.entries;

  const show = ({ text, note }: Prompt): string => {
    const more = note === undefined ? "" : ` ${tones[note.tone](`[${note.text}]`)}`;
    return `${theme.bold(theme.good(text))}${more} ${theme.bold(theme.good("›"))} `;
  };
  const entered = (text: string, kind: "prompt" | "steer"): void => {
    const [first = "", ...more] = printable(text).split("\n");
    const lines = [first, ...more.map((line) => `  ${line}`)].join("\n");
    print(kind === "steer" ? theme.dim(`» ${lines}`) : `\n${editor.prompt}${lines}`);
    remember(text);
  };
  const remember = (text: string): void => {
    if (history[0] === text) return;
    history = [text, ...history.filter((entry) => entry !== text)];
    editor.addToHistory(text);
    options.history.add(text).catch((error: Error) => say(`! ${error.message}`, "warn"));
  };
  const lend = async <T>(use: () => Promise<T>): Promise<T> => {
    using _interrupts = program.takeInterrupts(() => undefined);
    screen.stop();
    try {
      return await use();
    } finally {
      screen.start();
    }
  };
  /** Runs what a key asks for; what goes wrong is told, and the line stays. */
  const aside = (work: () => Promise<void>): void => {
    work().catch((error: Error) => say(`! ${error.message}`, "warn"));
  };
  const clear = (): void => {
    screen.stop();
    screen.signal(CLEAR);
    screen.start();
  };
  const bindings: ReadonlyMap<KeyId, () => void> = new Map<KeyId, () => void>([
    ["ctrl+l", clear],
    ["ctrl+o", () => print(theme.dim(view.lastResult() ?? messages.t("live.no_result")))],
    ["ctrl+z", () => suspend(screen)],
    [
      "shift+tab",
      () =>
        aside(async () => {
          if (keys === undefined) return;
          editor.prompt = show(await keys.cycleMode());
          redraw();
        }),
    ],
    [
      "ctrl+g",
      () =>
        aside(async () => {
          const text = await lend(() => editOutside(editor.getExpandedText(), program));
          if (text === undefined) return say(messages.t("live.no_editor"), "warn");
          if (text.trim() === "") return say(messages.t("live.nothing_written"), "dim");
          editor.setText(text);
          editor.handleInput("\r");
        }),
    ],
    [
      "ctrl+r",
      () =>
        aside(async () => {
          const choices = history.map((entry, at) => ({ key: String(at), label: entry }));
          const chosen = await input.choose(messages.t("live.history"), choices, { signal, isQuiet: true });
          if (chosen !== undefined) editor.setText(history[Number(chosen)] ?? "");
        }),
    ],
  ]);
  const input = createLiveInput({
    screen,
    editor,
    theme,
    messages,
    bindings,
    entered,
    interruptProgram: () => process.kill(process.pid, "SIGINT"),
  });
  screen.addChild(createRegion({ view, activity, editor, theme, input, rows: () => screen.rows }));
  screen.setFocus(editor);
  for (const entry of history.toReversed()) editor.addToHistory(entry);

  let turnStartedAt = Number.POSITIVE_INFINITY;
  const call = (text: string): void => {
    const isLong = options.notifyAfterMs > 0 && performance.now() - turnStartedAt >= options.notifyAfterMs;
    if (isLong) callPerson(options.notify, text, () => screen.signal("\u0007"));
  };
  let cancelTurn = (): void => undefined;
  const diff = (text: string, most: number): void => print(colouredDiff(stdout, text, most, messages));
  editor.prompt = show(options.prompt);
  screen.start();

  return {
    ownsTerminal: true,
    line: async (prompt, lineKeys) => {
      keys = lineKeys;
      editor.prompt = show(prompt);
      try {
        return await input.prompt(signal);
      } finally {
        keys = undefined;
      }
    },
    completeWith: (complete) => editor.setAutocompleteProvider(createCompletionMenu(complete)),
    say,
    diff: (text) => diff(text, Number.POSITIVE_INFINITY),
    printer: view.printer,
    ui: createLiveUi({
      theme,
      messages,
      diffLines: options.diffLines,
      print,
      diff,
      choose: async (title, choices, until) => {
        call(title);
        return await input.choose(title, choices, { guardMs: GUARD_MS, signal: until });
      },
      type: (text, until) => input.answer(theme.bold(text), until),
      cancel: () => cancelTurn(),
    }),
    turn: (turnKeys) => {
      let isCancelled = false;
      cancelTurn = () => {
        isCancelled = true;
        turnKeys.cancel();
      };
      input.setTurn({ ...turnKeys, cancel: cancelTurn });
      const interrupts = program.takeInterrupts(cancelTurn);
      turnStartedAt = performance.now();
      activity.start(redraw);
      redraw();
      return {
        [Symbol.dispose]: () => {
          input.setTurn(undefined);
          activity.stop();
          interrupts[Symbol.dispose]();
          if (!isCancelled) call(messages.t("live.turn_ended"));
          redraw();
        },
      };
    },
    pick: (title, choices, current) =>
      input.choose(title, choices, { signal, ...(current === undefined ? {} : { current }) }),
    title: (text) => screen.setTitle(text),
    lend: (use) => lend(() => use("inherit")),
    clear,
    close: () => screen.stop(),
  };
}

/** Gives the terminal to the shell until the job is resumed (TUI-64). */
function suspend(screen: LiveScreen): void {
  screen.stop();
  const alive = setInterval(() => undefined, 1 << 30); // nothing else keeps the program while it waits
  process.once("SIGCONT", () => {
    clearInterval(alive);
    screen.start();
  });
  process.kill(process.pid, "SIGTSTP");
}
