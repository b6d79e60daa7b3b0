// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Settings: one schema, files, environment, and errors that name file, line and key (02). */
export type { Config, ModelSettingsConfig, PricingConfig, ProviderConfig } from "./config.js";
export { parseDuration } from "./duration.js";
export { type ConfigSource, type ConfigSources, type LoadedConfig, loadConfig, workspaceSettingsFile } from "./load.js";
export { type SavedSetting, saveSetting } from "./save-setting.js";
export { SETTINGS, type Setting, type SettingType } from "./schema.js";
export { masked, renderSettings, SETTINGS_FILE, settingsTemplate } from "./settings-file.js";
