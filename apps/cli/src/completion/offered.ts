// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Command, COMMANDS, COMMON_FLAGS, type Flag } from "../commands.js";

/** A command as the scripts offer it. */
export interface Offered {
  /** `""` when the first word is no command. */
  readonly name: string;
  readonly help: string;
  readonly flags: readonly Flag[];
  /** What its first word may be; empty when that can be anything. */
  readonly words: readonly string[];
}

/** Every command people are shown, with its own flags and the common ones. */
export function offeredCommands(): readonly Offered[] {
  return COMMANDS.filter((command) => command.hidden !== true).map((command) => ({
    name: command.name,
    help: command.help,
    flags: [...command.flags, ...COMMON_FLAGS],
    words: wordsOf(command),
  }));
}

/** The ways a flag is written. */
export function spellingsOf(flag: Flag): readonly string[] {
  return [`--${flag.name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])];
}

/** Alternatives are written `a|b` or `[a | b <x>]` in the table; anything else is free text. */
function wordsOf({ args }: Command): readonly string[] {
  if (!args.includes("|")) return [];
  const first = args
    .replace(/^\[|\]$/g, "")
    .split("|")
    .map((one) => one.trim().split(" ")[0] ?? "");
  return first.filter((word) => /^[a-z-]+$/.test(word));
}
