// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Permissions, parsePermissionMode, type RuleEffect } from "@blitz/api";
import type { ApprovalGate } from "../approvals/index.js";

const EFFECTS: readonly string[] = ["allow", "ask", "deny"] satisfies readonly RuleEffect[];

/** Permission mode and rules (05). `sandboxKnown` probes the OS sandbox, which `bypass` needs. */
export function createPermissionsService(gate: ApprovalGate, sandboxKnown: () => Promise<void>): Permissions {
  return {
    setPermissionMode: async (mode) => {
      if (parsePermissionMode(mode) === "bypass") await sandboxKnown();
      return gate.setMode(mode);
    },
    listPermissionRules: async () => gate.rules.list(),
    addPermissionRule: async (effect, rule) => {
      // Over the wire an effect is any text.
      if (!EFFECTS.includes(effect)) throw apiError("BAD_RULE", `"${effect}" is none of allow, ask, deny`, { rule });
      return gate.rules.add(effect, rule, "session");
    },
  };
}
