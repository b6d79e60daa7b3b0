// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Config, loadConfig, SETTINGS } from "@blitz/config";

/** A key that only the shell's environment has: the service, started at login, won't have it. */
export interface ShellKey {
  /** The setting it fills. */
  readonly setting: string;
  /** The variable it is in. */
  readonly variable: string;
}

/** What looking for such keys needs. */
interface ShellKeysQuery {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Loads the settings with an environment. */
  readonly load: (env: ShellKeysQuery["env"]) => Promise<Config>;
}

/** The settings for keys that a variable fills when the files leave them empty. */
const FILLED = SETTINGS.filter(({ secret, env }) => secret === true && env?.fill !== undefined);

/**
 * The keys that are set only in the environment, found by loading the settings with and without them
 * (SVC-50). It returns names, never a key.
 */
async function keysOnlyInShell({ env, load }: ShellKeysQuery): Promise<readonly ShellKey[]> {
  const names = new Set(FILLED.flatMap((setting) => setting.env?.fill ?? []));
  const without = Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
  const [with_, alone] = await Promise.all([load(env), load(without)]);
  return FILLED.flatMap(({ key, env: from }) => {
    if (valueOf(with_, key) === "" || valueOf(alone, key) !== "") return [];
    const variable = from?.fill?.find((name) => (env[name] ?? "") !== "");
    return variable === undefined ? [] : [{ setting: key, variable }];
  });
}

/** The keys of a settings directory that are only in the shell; of the global settings, since the service is for all workspaces. */
export async function shellKeysOf(from: {
  readonly configDir: string;
  readonly home: string;
  readonly env: ShellKeysQuery["env"];
}): Promise<readonly ShellKey[]> {
  const load = async (env: ShellKeysQuery["env"]): Promise<Config> =>
    (await loadConfig({ dir: from.configDir, home: from.home, env })).config;
  return await keysOnlyInShell({ env: from.env, load });
}

function valueOf(config: Config, key: string): unknown {
  let value: unknown = config;
  for (const name of key.split(".")) value = (value as Readonly<Record<string, unknown>>)[name];
  return value;
}
