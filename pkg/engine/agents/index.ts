// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Agents: what they are told, which tools they use, which is active. */
export { type AgentDefinition, type AgentRegistry, loadAgents } from "./registry.js";
