// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { parseDuration } from "./duration.js";
import type { SettingType } from "./schema.js";

/** What is wrong with a value, in words; `undefined` when nothing is. */
export function problemOf(value: unknown, type: SettingType): string | undefined {
  switch (type.kind) {
    case "text":
      if (typeof value !== "string") return `expected text, got ${nameOf(value)}`;
      if (type.values === undefined || type.values.includes(value)) return undefined;
      return `"${value}" is none of ${type.values.filter((one) => one !== "").join(", ")}`;
    case "flag":
      return typeof value === "boolean" ? undefined : `expected true or false, got ${nameOf(value)}`;
    case "duration":
      return typeof value === "string" && parseDuration(value) !== undefined
        ? undefined
        : `expected a time such as 90s, 15m or 1h30m, got ${nameOf(value)}`;
    case "texts":
      return Array.isArray(value) && value.every((one) => typeof one === "string")
        ? undefined
        : `expected a list of texts, got ${nameOf(value)}`;
    case "number":
      return numberProblem(value, type);
    case "map":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? undefined
        : `expected a table, got ${nameOf(value)}`;
    default:
      return type satisfies never;
  }
}

function numberProblem(
  value: unknown,
  { min, max, whole }: Extract<SettingType, { kind: "number" }>,
): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return `expected a number, got ${nameOf(value)}`;
  if (whole === true && !Number.isInteger(value)) return `expected a whole number, got ${value}`;
  if (min !== undefined && value < min) return `expected at least ${min}, got ${value}`;
  if (max !== undefined && value > max) return `expected at most ${max}, got ${value}`;
  return undefined;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "object") return "a table";
  return typeof value === "string" ? `"${value}"` : String(value);
}
