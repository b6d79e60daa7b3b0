// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stringify } from "smol-toml";
import { type Config, get, type Tree } from "./config.js";
import { SETTINGS, type Setting } from "./schema.js";

/** The name of the settings file in the settings directory. */
export const SETTINGS_FILE: string = ".env.toml";

/**
 * A settings file that sets nothing: every setting with its description and its default, commented out,
 * so that a line is turned on by taking its `#` away (CLI-60).
 */
export function settingsTemplate(): string {
  const head = "# Settings of Blitz. Every line is a default; take the # away to change one.\n";
  return head + render((setting) => [`# ${described(setting)}`, `#${assignment(setting, setting.default)}`]);
}

/** What a setting is for, with its choices where it has some. */
function described({ description, type }: Setting): string {
  const values = type.kind === "text" ? (type.values ?? []).filter((value) => value !== "") : [];
  return values.length === 0 ? description : `${description} One of ${values.join(", ")}.`;
}

/**
 * The settings in force, as a file that would set them; keys and other secrets are masked (CLI-61).
 *
 * @param sourceOf - where a value was set; what isn't a default says so
 */
export function renderSettings(config: Config, sourceOf: (key: string) => string): string {
  return render((setting) => {
    const value = get(config as unknown as Tree, setting.key);
    const source = sourceOf(setting.key);
    const shown = assignment(setting, setting.secret === true ? masked(String(value ?? "")) : value);
    return [source === "default" ? shown : `${shown} # ${source}`];
  });
}

/** Enough of a secret to tell it from another, and no more: `abc…wxyz`; short ones are stars. */
export function masked(secret: string): string {
  const points = [...secret];
  if (points.length <= 8) return "*".repeat(points.length);
  return `${points.slice(0, 3).join("")}…${points.slice(-4).join("")}`;
}

/** All settings by their tables, in the schema's order; tables with free keys come last, as TOML wants it. */
function render(lines: (setting: Setting) => readonly string[]): string {
  const tables = new Map<string, string[]>();
  for (const setting of SETTINGS) {
    if (setting.type.kind === "map") continue;
    const table = setting.key.split(".").slice(0, -1).join(".");
    tables.set(table, [...(tables.get(table) ?? []), ...lines(setting)]);
  }
  const plain = [...tables].map(([table, body]) => `\n[${table}]\n${body.join("\n")}\n`);
  const maps = SETTINGS.filter((setting) => setting.type.kind === "map").map(
    (setting) => `\n${lines(setting).join("\n")}\n`,
  );
  return [...plain, ...maps].join("");
}

/** `name = value`; a table with free keys as tables of its own. */
function assignment(setting: Setting, value: unknown): string {
  const name = setting.key.split(".").at(-1) ?? setting.key;
  if (setting.type.kind !== "map") return stringify({ [name]: value }).trimEnd();
  const nested = setting.key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  return Object.keys(value as object).length === 0 ? `[${setting.key}]` : stringify(nested).trimEnd();
}
