// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Settings, SettingsInfo } from "@blitz/api";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** The settings in force in the service; a level or mode of a newer one keeps its name. */
export function createRemoteSettings({
  workspaces,
  workspace,
}: Pick<RemoteDeps, "workspaces" | "workspace">): Settings {
  return {
    settings: async () => {
      const { agency, model, provider, agent, locale, permissionMode } = await answered(
        workspaces.getSettings({ workspace }),
      );
      return {
        agency: agency as SettingsInfo["agency"],
        model,
        provider,
        agent,
        locale,
        permissionMode: permissionMode as SettingsInfo["permissionMode"],
      };
    },
  };
}
