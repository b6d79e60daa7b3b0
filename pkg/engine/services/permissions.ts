// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Permissions, parsePermissionMode } from "@blitz/api";
import type { ApprovalGate } from "../approvals/index.js";

/** Permission mode and rules (05). `sandboxKnown` probes the OS sandbox, which `bypass` needs. */
export function createPermissionsService(gate: ApprovalGate, sandboxKnown: () => Promise<void>): Permissions {
  return {
    setPermissionMode: async (mode) => {
      if (parsePermissionMode(mode) === "bypass") await sandboxKnown();
      return gate.setMode(mode);
    },
    listPermissionRules: async () => gate.rules.list(),
    addPermissionRule: async (effect, rule) => gate.rules.add(effect, rule, "session"),
  };
}
