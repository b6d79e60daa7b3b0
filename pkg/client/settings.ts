// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Settings, SettingsInfo } from "@blitz/api";
import { textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** The settings in force in the service; a level or mode of a newer one keeps its name, an older one knows no effort. */
export function createRemoteSettings({
  workspaces,
  workspace,
}: Pick<RemoteDeps, "workspaces" | "workspace">): Settings {
  return {
    settings: async () => {
      const { agency, model, provider, agent, locale, permissionMode, effort } = await answered(
        workspaces.getSettings({ workspace }),
      );
      return {
        agency: agency as SettingsInfo["agency"],
        model,
        provider,
        agent,
        locale,
        permissionMode: permissionMode as SettingsInfo["permissionMode"],
        effort: effort === "" ? "auto" : (effort as SettingsInfo["effort"]),
      };
    },
    set: async (given, value) => {
      const request = { workspace, key: textToWire(given), value: textToWire(value) };
      const { key } = await answered(workspaces.setSetting(request));
      return key;
    },
  };
}
