// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { PermissionRule, RuleEffect, RuleSource } from "@blitz/api";
import { compileRules, parseRule, type Rule, type RulePlaces, type RuleSet } from "../rules/index.js";

/** Patterns of the `shell` rules in force, for the command policy; the same object until a rule changes. */
export interface ShellRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly allow: readonly string[];
}

/** The permission rules in force, with where each comes from (PAR-PERM-12). */
export interface RuleBook {
  /** Deny, then ask, then allow. */
  list(): readonly PermissionRule[];
  /** @throws ApiError `BAD_RULE`; nothing changed then. A rule that is there already is returned as it is. */
  add(effect: string, text: string, source: RuleSource): PermissionRule;
  /** Takes any spelling of the rule; false when there is none. */
  remove(effect: RuleEffect, text: string): boolean;
  /** Puts these in the place of all that come from settings; session and flag rules stay. */
  replaceConfigured(rules: readonly PermissionRule[]): void;
  compiled(): RuleSet;
  shell(): ShellRules;
  /** Patterns of `read` deny rules: blocked paths from the next start (APR-57). */
  readDenied(): readonly string[];
}

interface Entry {
  readonly rule: Rule;
  readonly source: RuleSource;
}

const ORDER: readonly RuleEffect[] = ["deny", "ask", "allow"];
const LASTING: readonly RuleSource[] = ["session", "flag"];

/**
 * Keeps the rules in force.
 *
 * @throws ApiError `BAD_RULE` when one of `initial` can't be read
 */
export function createRuleBook(initial: readonly PermissionRule[], places: RulePlaces): RuleBook {
  let entries: readonly Entry[] = unique(initial.map(parseEntry));
  let compiled = compileRules([], places);
  let shell: ShellRules = { deny: [], ask: [], allow: [] };
  const change = (next: readonly Entry[]): void => {
    entries = next;
    const rules = entries.map(({ rule }) => rule);
    compiled = compileRules(rules, places);
    // Built-in shell rules are the policy's own: they depend on the sandbox (APR-63).
    const own = entries.filter(({ rule, source }) => rule.kind === "shell" && source !== "built-in");
    const patterns = (effect: RuleEffect): readonly string[] =>
      own.filter(({ rule }) => rule.effect === effect).map(({ rule }) => rule.pattern);
    shell = { deny: patterns("deny"), ask: patterns("ask"), allow: patterns("allow") };
  };
  change(entries);

  return {
    list: () => ORDER.flatMap((effect) => entries.filter(({ rule }) => rule.effect === effect).map(shown)),
    add: (effect, text, source) => {
      const rule = parseRule(effect, text);
      const known = entries.find((entry) => isSame(entry.rule, rule));
      if (known !== undefined) return shown(known);
      const entry = { rule, source };
      change([...entries, entry]);
      return shown(entry);
    },
    remove: (effect, text) => {
      const rule = parseRule(effect, text);
      const rest = entries.filter((entry) => !isSame(entry.rule, rule));
      const isFound = rest.length < entries.length;
      if (isFound) change(rest);
      return isFound;
    },
    replaceConfigured: (rules) =>
      change(unique([...rules.map(parseEntry), ...entries.filter(({ source }) => LASTING.includes(source))])),
    compiled: () => compiled,
    shell: () => shell,
    readDenied: () => entries.filter(({ rule }) => rule.kind === "read").map(({ rule }) => rule.pattern),
  };
}

function parseEntry({ effect, rule, source }: PermissionRule): Entry {
  return { rule: parseRule(effect, rule), source };
}

function unique(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry, i) => entries.findIndex((other) => isSame(other.rule, entry.rule)) === i);
}

function isSame(a: Rule, b: Rule): boolean {
  return a.effect === b.effect && a.text === b.text;
}

function shown({ rule, source }: Entry): PermissionRule {
  return { effect: rule.effect, rule: rule.text, source };
}
