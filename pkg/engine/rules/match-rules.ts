// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { RuleEffect } from "@blitz/api";
import { RE2JS } from "re2js";
import { globMatches, hasWildcard } from "./glob.js";
import type { Rule, RuleKind } from "./parse-rule.js";
import { compilePathPattern, type RulePlaces } from "./path-pattern.js";

/** One thing an action touches, under the kind of rule that speaks about it. */
export interface RuleTarget {
  readonly kind: RuleKind;
  readonly target: string;
}

/** What rules say about an action; `rule` is the one that decided (of several allow rules: the first). */
export interface RuleMatch {
  readonly effect: RuleEffect;
  readonly rule: Rule;
}

/** Rules ready for matching, per effect and kind; a change makes a new set. */
export interface RuleSet {
  /** In the order given. */
  readonly rules: readonly Rule[];
  readonly compiled: ReadonlyMap<string, readonly CompiledRule[]>;
}

interface CompiledRule {
  readonly rule: Rule;
  readonly matches: (target: string) => boolean;
  readonly names: (target: string) => boolean;
}

/** Prepares rules for matching; paths in them are relative to `places`. */
export function compileRules(rules: readonly Rule[], places: RulePlaces): RuleSet {
  const compiled = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    const slot = slotOf(rule.effect, rule.kind);
    const known = compiled.get(slot) ?? [];
    known.push({ rule, ...matcherOf(rule, places) });
    compiled.set(slot, known);
  }
  return { rules, compiled };
}

/**
 * What the rules say about an action of `tool` with these targets (APR-55, 56): deny if a deny rule
 * matches one of them, else ask likewise, else allow if every target has an allow rule. Rules naming
 * the tool count for each effect; a `shell` rule never allows here (the command policy does that).
 *
 * @param named - allow only by rules that name the very target: no wildcard, no folder above it (FS-102)
 */
export function matchRules(
  set: RuleSet,
  targets: readonly RuleTarget[],
  tool: string,
  named = false,
): RuleMatch | undefined {
  for (const effect of ["deny", "ask"] as const) {
    const rule = toolRule(set, effect, tool) ?? firstMatch(set, effect, targets);
    if (rule !== undefined) return { effect, rule };
  }
  const byTool = named ? undefined : toolRule(set, "allow", tool);
  const rule = byTool ?? allMatch(set, targets, named);
  return rule === undefined ? undefined : { effect: "allow", rule };
}

/** The rule of that effect that names the tool itself, in any case of letters (APR-56). */
export function toolRule(set: RuleSet, effect: RuleEffect, tool: string): Rule | undefined {
  return set.compiled.get(slotOf(effect, "tool"))?.find(({ matches }) => matches(tool))?.rule;
}

function firstMatch(set: RuleSet, effect: RuleEffect, targets: readonly RuleTarget[]): Rule | undefined {
  for (const { kind, target } of targets) {
    const found = set.compiled.get(slotOf(effect, kind))?.find(({ matches }) => matches(target));
    if (found !== undefined) return found.rule;
  }
  return undefined;
}

function allMatch(set: RuleSet, targets: readonly RuleTarget[], named: boolean): Rule | undefined {
  let first: Rule | undefined;
  for (const { kind, target } of targets) {
    const rules = kind === "shell" ? undefined : set.compiled.get(slotOf("allow", kind));
    const found = rules?.find(({ matches, names }) => (named ? names(target) : matches(target)));
    if (found === undefined) return undefined;
    first ??= found.rule;
  }
  return first;
}

function slotOf(effect: RuleEffect, kind: RuleKind): string {
  return `${effect} ${kind}`;
}

function matcherOf({ kind, pattern }: Rule, places: RulePlaces): Omit<CompiledRule, "rule"> {
  switch (kind) {
    case "shell":
      return { matches: commandMatcher(pattern), names: () => false };
    case "read":
    case "write":
    case "delete": {
      const { covers, names } = compilePathPattern(pattern, places);
      return { matches: covers, names };
    }
    case "web": {
      const matches = hostMatcher(pattern);
      return { matches, names: hasWildcard(pattern) ? () => false : matches };
    }
    case "search":
    case "mcp":
    case "skill":
    case "agent":
    case "tool": {
      const matches = (target: string): boolean => globMatches(pattern.toLowerCase(), target.toLowerCase());
      return { matches, names: hasWildcard(pattern) ? () => false : matches };
    }
  }
}

/** For commands that don't pass the command policy: the pattern over the whole text, or its first words. */
function commandMatcher(pattern: string): (target: string) => boolean {
  if (pattern.startsWith("re:")) {
    const expression = RE2JS.compile(pattern.slice("re:".length), RE2JS.DOTALL);
    return (target) => expression.matches(target);
  }
  return (target) => globMatches(pattern, target) || globMatches(`${pattern} *`, target);
}

function hostMatcher(pattern: string): (target: string) => boolean {
  const host = plainHost(pattern);
  return (target) => {
    const name = plainHost(target);
    return globMatches(host, name) || (host.startsWith("*.") && globMatches(host.slice(2), name));
  };
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
