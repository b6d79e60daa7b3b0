// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";

/** JSON on one line; control characters of C1 are escaped too, so no terminal obeys them (T-TUI-3). */
export function jsonLine(value: JsonObject): string {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "string" ? one.toWellFormed() : one));
  return `${text.replace(/[\u007f-\u009f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
