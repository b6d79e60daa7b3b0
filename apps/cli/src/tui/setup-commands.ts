// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, EFFORTS, PERMISSION_MODES } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { fixed, type SlashCommand } from "./slash-command.js";
import type { Surface } from "./surface.js";

const agents: SlashCommand = {
  name: "agents",
  args: "",
  run: async ({ backend, surface }) => {
    for (const agent of await backend.listAgents()) {
      const pin = agent.pinnedModel === "" ? "" : `  📌 ${agent.pinnedModel}`;
      surface.say(`${agent.active ? "›" : " "} ${agent.name.padEnd(12)}${agent.description}${pin}`);
    }
  },
};

async function pickAgent(
  backend: Backend,
  surface: Surface,
  { t }: Messages,
  active: string,
): Promise<string | undefined> {
  const choices = (await backend.listAgents()).map(({ name, description, pinnedModel }) => ({
    key: name,
    label: name,
    detail: `${description}${pinnedModel === "" ? "" : `  📌 ${pinnedModel}`}`,
  }));
  return await surface.pick(t("repl.pick_agent"), choices, active);
}

/** `/agent`. */
export const AGENT: SlashCommand = {
  name: "agent",
  args: "[name]",
  complete: async ({ backend }) =>
    (await backend.listAgents()).map(({ name, description }) => ({ text: name, detail: description })),
  run: async ({ backend, surface, messages }, given) => {
    const active = (await backend.activeAgent()).name;
    const name = given === "" ? await pickAgent(backend, surface, messages, active) : given;
    if (name === undefined) return;
    if (name !== active) await backend.setAgent(name);
    surface.say(messages.t("repl.agent_set", { agent: (await backend.activeAgent()).name }), "good");
  },
};

/** `/model`. */
export const MODEL: SlashCommand = {
  name: "model",
  args: "[model | provider/model]",
  run: async ({ backend, surface, messages }, ref) => {
    if (ref === "") {
      const { provider, name } = await backend.model();
      surface.say(messages.t("repl.model", { model: `${provider}/${name}` }));
      const error = await backend.modelError();
      if (error !== undefined) surface.say(`! ${error.message}`, "warn");
      return;
    }
    const { activePin } = await backend.setModel(ref);
    const { provider, name } = await backend.model();
    surface.say(messages.t("repl.model_set", { model: `${provider}/${name}` }), "good");
    if (activePin !== "") surface.say(messages.t("repl.model_pinned", { model: activePin }), "warn");
  },
};

/** `/mode`. */
export const MODE: SlashCommand = {
  name: "mode",
  args: "[mode]",
  complete: fixed(...PERMISSION_MODES),
  run: async ({ backend, surface, messages }, given) => {
    const { permissionMode } = await backend.settings();
    const choices = PERMISSION_MODES.map((mode) => ({ key: mode, label: mode, detail: messages.t(`mode.${mode}`) }));
    const name = given === "" ? await surface.pick(messages.t("repl.pick_mode"), choices, permissionMode) : given;
    if (name === undefined) return;
    surface.say(messages.t("repl.mode_set", { mode: await backend.setPermissionMode(name) }), "good");
  },
};

/** `/effort`: the session's, over every model's own. */
export const EFFORT: SlashCommand = {
  name: "effort",
  args: `[${["auto", ...EFFORTS].join("|")}]`,
  complete: fixed("auto", ...EFFORTS),
  run: async ({ backend, surface, messages }, given) => {
    const choices = [
      { key: "auto", label: "auto", detail: messages.t("effort.auto") },
      ...EFFORTS.map((one) => ({ key: one, label: one })),
    ];
    const now = (await backend.settings()).effort;
    const level = given === "" ? await surface.pick(messages.t("repl.pick_effort"), choices, now) : given;
    if (level === undefined) return;
    await backend.set("effort", level);
    surface.say(messages.t("repl.effort_set", { effort: (await backend.settings()).effort }), "good");
  },
};

const sandbox: SlashCommand = {
  name: "sandbox",
  args: "",
  run: async ({ backend, surface }) => surface.say((await backend.sandboxSummary()).join("\n")),
};

/** Who answers, and with what leave (TUI's table: agents, models, modes). */
export const SETUP_COMMANDS: readonly SlashCommand[] = [agents, AGENT, MODEL, MODE, EFFORT, sandbox];
