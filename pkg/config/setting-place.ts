// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, nearest } from "@blitz/api";
import { parse } from "smol-toml";
import { problemOf } from "./check-value.js";
import { SETTINGS, type Setting, type SettingType } from "./schema.js";

/** Where one value is in a settings file. */
export interface SettingPlace {
  /** The key in parts: one that has dots of its own, such as a model's name, is one part. */
  readonly names: readonly string[];
  /** What the value may be; never a table. */
  readonly type: SettingType;
}

/**
 * Finds the place a dotted key names. In tables with free keys the name is everything between the table and
 * the field, quoted or not: `model_settings.gpt-4.1.temperature`.
 *
 * @throws ApiError `UNKNOWN_SETTING` with the nearest key there is; `INVALID_SETTING` for a whole table
 */
export function findPlace(key: string): SettingPlace {
  const setting = SETTINGS.find((one) => one.key === key || (isMap(one) && key.startsWith(`${one.key}.`)));
  if (setting === undefined) {
    const near = nearest(
      key,
      SETTINGS.map((one) => one.key),
    );
    throw unknown(key, near === undefined ? "" : ` (did you mean ${near}?)`);
  }
  return setting.type.kind === "map"
    ? placeInMap(setting.key, setting.type.entry, key)
    : { names: key.split("."), type: setting.type };
}

function isMap({ type }: Setting): boolean {
  return type.kind === "map";
}

function placeInMap(table: string, entry: Extract<SettingType, { kind: "map" }>["entry"], key: string): SettingPlace {
  const rest = key.slice(table.length + 1);
  if (isType(entry)) {
    if (rest === "") throw wholeTable(key, `${table}.<name>`);
    return { names: [...table.split("."), unquoted(rest)], type: entry };
  }
  const dot = rest.lastIndexOf(".");
  const field = rest.slice(dot + 1);
  if (dot < 1) throw wholeTable(key, `${table}.<name>.<${Object.keys(entry).join(" | ")}>`);
  const type = Object.hasOwn(entry, field) ? entry[field] : undefined;
  if (type === undefined) throw unknown(key, `; ${table} knows ${Object.keys(entry).join(", ")}`);
  return { names: [...table.split("."), unquoted(rest.slice(0, dot)), field], type };
}

function isType(entry: SettingType | Readonly<Record<string, SettingType>>): entry is SettingType {
  return typeof entry.kind === "string";
}

function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, "$2");
}

function unknown(key: string, hint: string): Error {
  return apiError("UNKNOWN_SETTING", `unknown setting ${key}${hint}`, { key });
}

function wholeTable(key: string, example: string): Error {
  return apiError("INVALID_SETTING", `${key} is a table; name a value in it: ${example}`, { key });
}

/** A whole decimal number, with or without fraction and exponent. */
const NUMBER: RegExp = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * The value a text stands for at a place: text as it is, lists as in the file.
 *
 * @throws ApiError `INVALID_SETTING` saying what is expected
 */
export function parseValue(key: string, text: string, { type }: SettingPlace): unknown {
  const value = valueOf(text, type);
  const problem = problemOf(value, type);
  if (problem === undefined) return value;
  const example = type.kind === "texts" ? '; write it as ["one", "two"]' : "";
  throw apiError("INVALID_SETTING", `${key}: ${problem}${example}`, { key, value: text });
}

/** What can't be read stays text, which the check then refuses in its own words. */
function valueOf(text: string, type: SettingType): unknown {
  switch (type.kind) {
    case "flag":
      return ["true", "false"].includes(text) ? text === "true" : text;
    case "number":
      return NUMBER.test(text) ? Number(text) : text;
    case "texts":
      return listOf(text);
    case "text":
    case "duration":
    case "map":
      return text;
    default:
      return type satisfies never;
  }
}

function listOf(text: string): unknown {
  try {
    const tree = parse(`list = ${text}`);
    return Object.keys(tree).length === 1 ? tree["list"] : text;
  } catch {
    return text; // no TOML: the check says what is expected
  }
}
