// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Config } from "@blitz/config";
import type { AgentDefinition } from "../agents/index.js";
import type { ChatModel } from "../models/index.js";
import { systemText } from "../prompt/index.js";
import type { SessionSettings } from "../services/index.js";
import type { Tool } from "../tools/call/index.js";
import type { TurnSetting } from "../turn/index.js";
import { genSettingsOf } from "./settings.js";

/** Tools every primary agent has, whatever its list (APR-44). */
const ALWAYS: ReadonlySet<string> = new Set(["todo", "exit_plan_mode", "enter_plan_mode"]);

/** What a turn of this agent with this model starts with. */
export function turnSetting(
  about: {
    readonly config: Config;
    readonly workspace: string;
    readonly memory: string;
    readonly tools: readonly Tool[];
    readonly session: Readonly<SessionSettings>;
  },
  agent: AgentDefinition,
  model: ChatModel,
): TurnSetting {
  const { config, workspace, memory, tools, session } = about;
  return {
    agent: agent.name,
    model,
    system: systemText({
      agentPrompt: agent.prompt,
      agency: session.agency,
      workspace,
      platform: process.platform,
      memory,
    }),
    tools: offered(tools, agent.tools, config.model_settings[model.name]?.todo !== false),
    settings: genSettingsOf(config, model.name, session.effort),
  };
}

/** The agent's own tools and those every primary agent has, by name, so that requests stay the same (MDL-32). */
function offered(tools: readonly Tool[], named: readonly string[], withTodo: boolean): TurnSetting["tools"] {
  return tools
    .filter((tool) => (ALWAYS.has(tool.name) || named.includes(tool.name)) && (withTodo || tool.name !== "todo"))
    .map(({ name, description, schema }) => ({ name, description, schema }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
