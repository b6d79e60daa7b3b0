// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type PermissionMode, type Permissions } from "@blitz/api";
import { permissionRuleFromWire, textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** Permission mode and rules in the service; a mode of a newer one keeps its name. */
export function createRemotePermissions({
  workspaces,
  workspace,
}: Pick<RemoteDeps, "workspaces" | "workspace">): Permissions {
  return {
    setPermissionMode: async (given) => {
      const { mode } = await answered(workspaces.setPermissionMode({ workspace, mode: textToWire(given) }));
      return mode as PermissionMode;
    },
    listPermissionRules: async () => {
      const { rules } = await answered(workspaces.listPermissionRules({ workspace }));
      return rules.map(permissionRuleFromWire);
    },
    addPermissionRule: async (effect, text) => {
      const request = { workspace, effect: textToWire(effect), rule: textToWire(text) };
      const { rule } = await answered(workspaces.addPermissionRule(request));
      if (rule === undefined) throw apiError("INTERNAL", "the service answered without the rule", {});
      return permissionRuleFromWire(rule);
    },
    removePermissionRule: async (text) => {
      const request = { workspace, rule: textToWire(text) };
      const { rule, removed } = await answered(workspaces.removePermissionRule(request));
      return { rule, removed };
    },
  };
}
