// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Program } from "../program.js";
import type { Language } from "./language.js";
import type { Completion, Surface } from "./surface.js";

/** What a slash command may use. */
export interface CommandContext {
  readonly backend: Backend;
  readonly surface: Surface;
  readonly messages: Messages;
  readonly language: Language;
  readonly program: Program;
  /** Runs a turn in the active session and shows it. */
  readonly runTurn: (turn: { readonly text: string; readonly plan?: boolean }) => Promise<void>;
  /** Ends the REPL after this command. */
  readonly leave: () => void;
}

/** A command of the REPL: help, dispatch and the nearest name read the one table. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Shown after the name in the help; the same in every language. */
  readonly args: string;
  /** The catalog's key of its one-line help is `slash.<name>`. */
  run(context: CommandContext, args: string): Promise<void>;
  /** What its arguments may be, whole; filtered by what is typed (CLI-40, 41). */
  complete?(context: Pick<CommandContext, "backend" | "language">): Promise<readonly Completion[]>;
}

/** Arguments a command can't read: the command's usage is shown. */
export class SlashUsage extends Error {}

/** Fixed arguments, as completions. */
export function fixed(...texts: readonly string[]): () => Promise<readonly Completion[]> {
  return async () => texts.map((text) => ({ text }));
}
