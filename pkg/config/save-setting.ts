// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { editFile } from "./edit-file.js";
import { withValue } from "./edit-toml.js";
import { type ConfigSources, checkSettings } from "./load.js";
import { findPlace, parseValue } from "./setting-place.js";
import { SETTINGS_FILE } from "./settings-file.js";

/** Where a setting went. */
export interface SavedSetting {
  readonly file: string;
  /** False: the file had the value already, and not a byte of it was touched. */
  readonly isChanged: boolean;
}

/**
 * Saves one setting in the user's settings file, in place: nothing else of the file changes (CFG-20, 21). What
 * would be written is checked first, so a save never leaves a file that doesn't load, but can mend one value.
 *
 * @param key - dotted; a name in a table with free keys may have dots of its own
 * @param text - the value as text: `true`, `0.5`, `dark`, `["a", "b"]`
 * @throws ApiError `UNKNOWN_SETTING`, `INVALID_SETTING`, or `CONFIG_INVALID` naming file and line; nothing is
 *   changed then
 */
export async function saveSetting(
  { dir, home }: Pick<ConfigSources, "dir" | "home">,
  key: string,
  text: string,
): Promise<SavedSetting> {
  const place = findPlace(key);
  const value = parseValue(key, text, place);
  const isFloat = place.type.kind === "number" && place.type.whole !== true;
  const file = path.join(dir, SETTINGS_FILE);
  const isChanged = await editFile(file, path.join(home, ".blitz", "locks"), async (before) => {
    const after = await withValue(before, { names: place.names, value, isFloat }).catch((error: unknown) => {
      checkSettings(file, before); // what can't be read is told with its line
      throw error;
    });
    checkSettings(file, after);
    return after;
  });
  return { file, isChanged };
}
