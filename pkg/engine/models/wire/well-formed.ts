// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";

/** Text without unpaired surrogates: each becomes U+FFFD (MDL-34). */
export function wellFormedText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The same object when its strings and keys are well-formed, which is nearly always; else a mended copy. */
export function wellFormed(value: JsonObject): JsonObject {
  return LONE.test(JSON.stringify(value)) ? (mend(value) as JsonObject) : value;
}

/** The JSON text of {@link wellFormed}, for the price of one pass over the value. */
export function wellFormedJson(value: JsonObject): string {
  const text = JSON.stringify(value);
  return LONE.test(text) ? JSON.stringify(mend(value)) : text;
}

/** JSON.stringify writes unpaired surrogates as escapes, so one look at its text finds them all. */
const LONE = /\\ud[89a-f]/;

function mend(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mend(item)]));
}
