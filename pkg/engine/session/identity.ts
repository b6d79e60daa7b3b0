// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";

const ID: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A new session's ID, in UTC: `session-YYYYMMDD-HHMMSS-<8 hex>` (SES-01). */
export function newSessionId(now: Date, randomHex: string): string {
  const digits = now.toISOString().replace(/[-:]/g, "");
  return `session-${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomHex.slice(0, 8)}`;
}

/**
 * Refuses what could leave the sessions folder when used as a file name (SES-01).
 *
 * @throws ApiError `INVALID_ID`
 */
export function checkSessionId(id: string): void {
  if (!ID.test(id)) {
    throw apiError(
      "INVALID_ID",
      `"${id}" is not a session ID: 1 to 128 letters, digits, ".", "_", "-", beginning with a letter or digit`,
      {
        name: id,
      },
    );
  }
}

/** A title from the first prompt: its first non-empty line, blanks collapsed, at most 60 characters (SES-12). */
export function titleOf(prompt: string): string {
  const line = prompt.split(/\r?\n/).find((one) => one.trim() !== "") ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const clean = line
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const points = [...clean];
  return points.length <= 60 ? clean : `${points.slice(0, 59).join("")}…`;
}
