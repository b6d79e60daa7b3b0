// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type AgentInfo, type Agents, apiError } from "@blitz/api";
import { agentInfoFromWire, textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** Agents in the service. */
export function createRemoteAgents({ workspaces, workspace }: Pick<RemoteDeps, "workspaces" | "workspace">): Agents {
  const listAgents = async (): Promise<readonly AgentInfo[]> => {
    const { agents } = await answered(workspaces.listAgents({ workspace }));
    return agents.map(agentInfoFromWire);
  };
  return {
    listAgents,
    activeAgent: async () => {
      const active = (await listAgents()).find((agent) => agent.active);
      if (active === undefined) throw apiError("INTERNAL", "the service answered without an active agent", {});
      return active;
    },
    setAgent: async (name) => {
      await answered(workspaces.setAgent({ workspace, name: textToWire(name) }));
    },
  };
}
