// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Permissions, parsePermissionMode, type RuleEffect, type RuleSource } from "@blitz/api";
import type { ApprovalGate } from "../approvals/index.js";
import { parseRule } from "../rules/index.js";

const EFFECTS: readonly string[] = ["allow", "ask", "deny"] satisfies readonly RuleEffect[];
/** Rules a session may take back: those it was given. */
const OWN: readonly RuleSource[] = ["session", "flag"];

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
    removePermissionRule: async (given) => {
      const { text } = parseRule("deny", given); // every rule that can be read can be denied
      const own = gate.rules.list().filter(({ rule, source }) => rule === text && OWN.includes(source));
      for (const { effect, rule } of own) gate.rules.remove(effect, rule);
      return { rule: text, removed: own.length > 0 };
    },
  };
}
