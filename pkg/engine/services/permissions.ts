// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Permissions } from "@blitz/api";
import type { ApprovalGate } from "../approvals/index.js";

/** Permission mode and rules (05). */
export function createPermissionsService(gate: ApprovalGate): Permissions {
  return {
    permissionMode: async () => gate.mode(),
    setPermissionMode: async (mode) => gate.setMode(mode),
    listPermissionRules: async () => gate.rules.list(),
    addPermissionRule: async (effect, rule) => gate.rules.add(effect, rule, "session"),
  };
}
