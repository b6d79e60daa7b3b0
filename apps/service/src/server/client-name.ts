// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A label of printable characters: no control, format or unassigned ones, so a terminal may show it. */
const NAME = /^(?:cli|desktop|acp|script);[^\p{C}\p{Zl}\p{Zp}]{1,80}$/u;

/**
 * Who a client says it is, `<kind>;<label>` such as `cli;pts/3` (PRT-08). Shown, never trusted.
 *
 * @returns `unknown` without the header, or with one that isn't in this form
 */
export function clientName(headers: Headers): string {
  const given = headers.get("x-blitz-client") ?? "";
  const name = Buffer.from(given, "latin1").toString("utf8"); // headers come as bytes
  return NAME.test(name) ? name : "unknown";
}
