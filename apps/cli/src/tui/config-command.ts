// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { AGENCY_LEVELS, EFFORTS, PERMISSION_MODES, type SettingsInfo } from "@blitz/api";
import { speak } from "./locale-command.js";
import { saveHeld } from "./save-held.js";
import { AGENT, EFFORT, MODE, MODEL } from "./setup-commands.js";
import { type CommandContext, type SlashCommand, SlashUsage } from "./slash-command.js";

/** Something `/config` shows and sets. */
interface Knob {
  readonly name: string;
  /** Sets it and says so. */
  readonly set: (context: CommandContext, value: string) => Promise<void>;
  readonly value: (settings: SettingsInfo) => string;
  /** The setting it is saved as; absent: it is never saved. */
  readonly setting?: string;
  /** What it can be, where that is a short list. */
  readonly choices?: readonly string[];
}

const KNOBS: readonly Knob[] = [
  {
    name: "model",
    set: MODEL.run,
    value: ({ provider, model }) => `${provider}/${model}`,
    setting: "blitz.default_model",
  },
  { name: "agent", set: AGENT.run, value: ({ agent }) => agent, setting: "blitz.default_agent" },
  {
    name: "mode",
    set: MODE.run,
    value: ({ permissionMode }) => permissionMode,
    setting: "blitz.permission_mode",
    choices: PERMISSION_MODES,
  },
  {
    name: "agency",
    set: setAgency,
    value: ({ agency }) => agency,
    setting: "blitz.agency_level",
    choices: AGENCY_LEVELS,
  },
  { name: "effort", set: EFFORT.run, value: ({ effort }) => effort, choices: ["auto", ...EFFORTS] },
  { name: "locale", set: speak, value: ({ locale }) => locale, setting: "ui.locale" },
];

const ASSIGNMENT: RegExp = /^([a-z_]+)\s*=\s*(.+?)(\s+--save)?$/;

/** `/config`: what is in force; or one of it set for this session and, with `--save`, for every workspace from its next start. */
export const CONFIG: SlashCommand = {
  name: "config",
  aliases: ["set", "show"],
  args: "[key=value [--save]]",
  complete: async () =>
    KNOBS.flatMap(({ name, choices = [""] }) => choices.map((choice) => ({ text: `${name}=${choice}` }))),
  run: async (context, args) => {
    if (args === "") return await show(context);
    const [, key = "", value = "", save] = ASSIGNMENT.exec(args) ?? [];
    if (key === "") throw new SlashUsage();
    const { surface, messages } = context;
    const knob = KNOBS.find(({ name }) => name === key);
    if (knob === undefined) {
      const known = KNOBS.map(({ name }) => name).join(", ");
      return surface.say(`✗ ${messages.t("repl.unknown_setting", { key, known })}`, "bad");
    }
    if (save !== undefined && knob.setting === undefined)
      return surface.say(`✗ ${messages.t("repl.never_saved", { key })}`, "bad");
    await knob.set(context, value);
    if (save !== undefined && knob.setting !== undefined)
      await saveHeld(context, knob.setting, knob.value(await inForce(context)));
  },
};

async function show(context: CommandContext): Promise<void> {
  const settings = await inForce(context);
  context.surface.say(KNOBS.map(({ name, value }) => `${name.padEnd(8)}${value(settings)}`).join("\n"));
}

/** The workspace's settings, with the language of this interface: the workspace's is that of its replies (I18N-20). */
async function inForce({ backend, language }: CommandContext): Promise<SettingsInfo> {
  return { ...(await backend.settings()), locale: (await language.current()).tag };
}

async function setAgency({ backend, surface, messages }: CommandContext, level: string): Promise<void> {
  await backend.set("agency", level);
  surface.say(messages.t("repl.agency_set", { agency: (await backend.settings()).agency }), "good");
}
