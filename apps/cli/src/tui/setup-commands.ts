// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { PERMISSION_MODES } from "@blitz/api";
import type { SlashCommand } from "./slash-command.js";

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

const agent: SlashCommand = {
  name: "agent",
  args: "[name]",
  run: async (context, name) => {
    const { backend, surface, messages } = context;
    if (name === "") return await agents.run(context, "");
    await backend.setAgent(name);
    surface.say(messages.t("repl.agent_set", { agent: (await backend.activeAgent()).name }), "good");
  },
};

const model: SlashCommand = {
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

const mode: SlashCommand = {
  name: "mode",
  args: "[mode]",
  run: async ({ backend, surface, messages }, name) => {
    if (name !== "") {
      const now = await backend.setPermissionMode(name);
      surface.say(messages.t("repl.mode_set", { mode: now }), "good");
      return;
    }
    const { permissionMode } = await backend.settings();
    for (const one of PERMISSION_MODES) surface.say(`${one === permissionMode ? "›" : " "} ${one}`);
  },
};

const sandbox: SlashCommand = {
  name: "sandbox",
  args: "",
  run: async ({ backend, surface }) => surface.say((await backend.sandboxSummary()).join("\n")),
};

const config: SlashCommand = {
  name: "config",
  aliases: ["show"],
  args: "",
  run: async ({ backend, surface }) => {
    const { model: name, provider, agent: active, permissionMode, agency, locale } = await backend.settings();
    const rows = { model: `${provider}/${name}`, agent: active, mode: permissionMode, agency, locale };
    surface.say(
      Object.entries(rows)
        .map(([key, value]) => `${key.padEnd(8)}${value}`)
        .join("\n"),
    );
  },
};

/** Who answers, and with what leave (TUI's table: agents, models, modes). */
export const SETUP_COMMANDS: readonly SlashCommand[] = [agents, agent, model, mode, sandbox, config];
