// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ModelInfo, Settings, SettingsInfo } from "@blitz/api";

/** What the settings are read from; each is asked when it is needed. */
export interface SettingsServiceDeps {
  readonly agency: SettingsInfo["agency"];
  readonly locale: string;
  readonly model: () => Promise<ModelInfo>;
  readonly agent: () => string;
  readonly permissionMode: () => SettingsInfo["permissionMode"];
}

/** The settings in force (WS-44). */
export function createSettingsService(deps: SettingsServiceDeps): Settings {
  return {
    settings: async () => {
      const { name, provider } = await deps.model();
      const { agency, locale } = deps;
      return { agency, model: name, provider, agent: deps.agent(), locale, permissionMode: deps.permissionMode() };
    },
  };
}
