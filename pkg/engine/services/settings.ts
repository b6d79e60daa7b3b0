// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  apiError,
  type ModelInfo,
  nearest,
  parseAgencyLevel,
  parseEffort,
  type Settings,
  type SettingsInfo,
} from "@blitz/api";

/** What holds for this workspace while it is open, beside what is configured; a turn begins with what it is then. */
export interface SessionSettings {
  agency: SettingsInfo["agency"];
  effort: SettingsInfo["effort"];
}

/** What the settings are read from; each is asked when it is needed. */
export interface SettingsServiceDeps {
  /** Changed here, by `set`. */
  readonly session: SessionSettings;
  readonly locale: string;
  readonly model: () => Promise<ModelInfo>;
  readonly agent: () => string;
  readonly permissionMode: () => SettingsInfo["permissionMode"];
}

const NAMES: Readonly<Record<string, keyof SessionSettings>> = {
  agency: "agency",
  agency_level: "agency",
  effort: "effort",
};

/** The settings in force, and those a session may change (WS-43, 44). */
export function createSettingsService(deps: SettingsServiceDeps): Settings {
  const { session, locale } = deps;
  return {
    settings: async () => {
      const { name, provider } = await deps.model();
      const { agency, effort } = session;
      return {
        agency,
        model: name,
        provider,
        agent: deps.agent(),
        locale,
        permissionMode: deps.permissionMode(),
        effort,
      };
    },
    set: async (key, value) => {
      const name = nameOf(key);
      switch (name) {
        case "agency":
          session.agency = parseAgencyLevel(value);
          return name;
        case "effort":
          session.effort = parseEffort(value);
          return name;
        default:
          return name satisfies never;
      }
    },
  };
}

function nameOf(key: string): keyof SessionSettings {
  const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
  if (name !== undefined) return name;
  const near = nearest(key, Object.keys(NAMES));
  const hint = near === undefined ? "known: agency, effort" : `did you mean ${near}?`;
  throw apiError("UNKNOWN_SETTING", `no setting ${key}; ${hint}`, { key });
}
