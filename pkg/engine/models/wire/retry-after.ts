// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Milliseconds a provider asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * Undefined for what makes no sense (words, negative numbers, a date that has passed).
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const ms = headers?.get("retry-after-ms")?.trim() ?? "";
  if (NUMBER.test(ms)) return Number(ms);
  const after = headers?.get("retry-after")?.trim() ?? "";
  if (NUMBER.test(after)) return Number(after) * 1000;
  // A date starts with a day's name; Date.parse alone takes "-1" for a year.
  const wait = /^[A-Za-z]{3}/.test(after) ? Date.parse(after) - nowMs : Number.NaN;
  return wait > 0 ? wait : undefined;
}

const NUMBER = /^\d+(\.\d+)?$/;
