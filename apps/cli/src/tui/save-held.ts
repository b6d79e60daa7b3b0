// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { messageOf } from "../program.js";
import { saveForAll } from "../save-for-all.js";
import type { CommandContext } from "./slash-command.js";

/** Saves for every workspace what holds here already; that it couldn't be saved takes nothing back (TUI's table). */
export async function saveHeld(
  { program, surface, messages }: Pick<CommandContext, "program" | "surface" | "messages">,
  setting: string,
  value: string,
): Promise<void> {
  try {
    const { done, overridden } = await saveForAll(program, setting, value, messages);
    surface.say(done, "good");
    if (overridden !== undefined) surface.say(overridden, "warn");
  } catch (error) {
    // The file may be read-only, broken or gone: that is told, and the session goes on with what was set.
    surface.say(`! ${messages.t("repl.not_saved", { message: messageOf(error) })}`, "warn");
  }
}
