// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AgentInfo, Agents } from "@blitz/api";
import type { AgentDefinition, AgentRegistry } from "../agents/index.js";

/** Which agent is active; the workspace owns the name. */
export interface ActiveAgent {
  readonly get: () => string;
  readonly set: (name: string) => void;
}

/** What the agent operations need. */
export interface AgentsServiceDeps {
  readonly registry: AgentRegistry;
  readonly active: ActiveAgent;
  /** `[agent_models]`. */
  readonly pins: Readonly<Record<string, string>>;
}

/** Listing and choosing agents (14). */
export function createAgentsService({ registry, active, pins }: AgentsServiceDeps): Agents {
  const infoOf = (agent: AgentDefinition): AgentInfo => ({
    name: agent.name,
    displayName: agent.displayName,
    description: agent.description,
    active: agent.name === active.get(),
    pinnedModel: Object.hasOwn(pins, agent.name) ? (pins[agent.name] ?? "") : "",
  });
  return {
    listAgents: async () => registry.list().map(infoOf),
    activeAgent: async () => infoOf(registry.get(active.get())),
    setAgent: async (name) => active.set(registry.get(name).name),
  };
}
