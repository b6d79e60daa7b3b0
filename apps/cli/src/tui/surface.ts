// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Ui } from "@blitz/api";
import type { Printer } from "../output/printer.js";

/** How a printed line is meant; where there is no colour it says the same without. */
export type Tone = "plain" | "dim" | "good" | "warn" | "bad";

/** Something to choose. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly detail?: string;
  /** A letter that chooses it at once, in lower case. */
  readonly shortcut?: string;
}

/** What stands before the line: `text`, then `note` in a colour of its own, then `›`. */
export interface Prompt {
  readonly text: string;
  readonly note?: { readonly text: string; readonly tone: Tone };
}

/** What keys at the prompt do beside editing. */
export interface LineKeys {
  /** Shift+Tab: the next permission mode; the prompt that says so (TUI-13). */
  readonly cycleMode: () => Promise<Prompt>;
}

/** Text to put in. */
export interface Completion {
  readonly text: string;
  readonly detail?: string;
}

/** Completions of the text before the cursor: what they stand in for, its end, and what may go there. */
export type Complete = (
  before: string,
) => Promise<{ readonly replaces: string; readonly items: readonly Completion[] } | undefined>;

/** What a person can do to the turn that runs. */
export interface TurnKeys {
  /** Ends it (TUI-31). */
  readonly cancel: () => void;
  /** Hands it a message (TUI-32). */
  readonly steer: (text: string) => void;
}

/**
 * A terminal, or a pipe, as the REPL sees it: the one owner of its input (TUI-10). It knows nothing of
 * sessions or models.
 */
export interface Surface {
  /** The next line, without its end; `undefined` when there is no more input or the person leaves (TUI-40). */
  line(prompt: Prompt, keys?: LineKeys): Promise<string | undefined>;
  /** Completes by `complete`, where a line can be completed (TUI-11). */
  completeWith(complete: Complete): void;
  /** Whether text that others write to the terminal would spoil what stands there. */
  readonly ownsTerminal: boolean;
  /** Prints text on lines of its own; made safe to print here (TUI-07). */
  say(text: string, tone?: Tone): void;
  /** Shows a unified diff, whole. */
  diff(text: string): void;
  /** Shows a turn's events. */
  readonly printer: Printer;
  /** Asks for the turn that runs. */
  readonly ui: Ui;
  /** A turn begins; until disposed, keys reach it. */
  turn(keys: TurnKeys): Disposable;
  /** Asks for one of `choices`; `undefined` when none is wanted (TUI-15). `current` is marked. */
  pick(title: string, choices: readonly Choice[], current?: string): Promise<string | undefined>;
  /** The window's title, where there is one (TUI-06). */
  title(text: string): void;
  /**
   * Hands the terminal to a program until `use` is done; its Ctrl+C isn't ours (TUI-20, 62). A pipe's lines
   * are the session's alone, so there the program has no input (TUI-10).
   */
  lend<T>(use: (stdin: "inherit" | "ignore") => Promise<T>): Promise<T>;
  /** Clears the screen; nothing where there is none. */
  clear(): void;
  /** Leaves the terminal as it was found; idempotent. */
  close(): void;
}
