// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { PermissionRule } from "@blitz/api";
import type { Config } from "@blitz/config";

/** The rules a workspace starts with: those of this run's flags, then those of the settings. */
export function startingRules(
  { permissions }: Config,
  flags: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): PermissionRule[] {
  const from = (
    effect: PermissionRule["effect"],
    rules: readonly string[],
    source: PermissionRule["source"],
  ): PermissionRule[] => rules.map((rule) => ({ effect, rule, source }));
  return [
    ...from("deny", flags.deny, "flag"),
    ...from("deny", permissions.deny, "global"),
    ...from("ask", permissions.ask, "global"),
    ...from("allow", flags.allow, "flag"),
    ...from("allow", permissions.allow, "global"),
  ];
}

/** `read` deny rules become blocked paths when the workspace opens (APR-57). */
export function readDenied(rules: readonly PermissionRule[]): string[] {
  return rules.flatMap(({ effect, rule }) => {
    const pattern = /^\s*read\s*\((.*)\)\s*$/i.exec(rule)?.[1];
    return effect === "deny" && pattern !== undefined ? [pattern] : [];
  });
}
