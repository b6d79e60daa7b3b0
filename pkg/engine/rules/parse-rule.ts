// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type RuleEffect } from "@blitz/api";
import { RE2JS } from "re2js";

/** What a rule is about; `tool` is a rule that names a tool. */
export type RuleKind = "shell" | "read" | "write" | "delete" | "web" | "search" | "mcp" | "skill" | "agent" | "tool";

/** A parsed permission rule. */
export interface Rule {
  readonly effect: RuleEffect;
  readonly kind: RuleKind;
  /** What is between the parentheses, blanks around it dropped; the tool's name for kind `tool`. */
  readonly pattern: string;
  /** Canonical form: `kind(pattern)`, or the tool's name. */
  readonly text: string;
}

const KINDS: Readonly<Record<string, RuleKind>> = {
  shell: "shell",
  bash: "shell",
  command: "shell",
  cmd: "shell",
  read: "read",
  write: "write",
  edit: "write",
  delete: "delete",
  web: "web",
  webfetch: "web",
  fetch: "web",
  search: "search",
  websearch: "search",
  mcp: "mcp",
  skill: "skill",
  agent: "agent",
};

const EFFECTS: readonly string[] = ["deny", "ask", "allow"] satisfies readonly RuleEffect[];
const KIND_NAMES = "shell, read, write, delete, web, search, mcp, skill, agent";

/**
 * Reads a rule (05 §4, PAR-PERM-10): `kind(pattern)`, a bare kind, or a tool's name.
 *
 * @throws ApiError `BAD_RULE` saying what is wrong
 */
export function parseRule(effect: string, text: string): Rule {
  const bad = (why: string): Error => apiError("BAD_RULE", `bad rule "${text}": ${why}`, { rule: text });
  if (!isEffect(effect)) throw bad(`unknown effect "${effect}"; known: ${EFFECTS.join(", ")}`);
  const trimmed = text.trim();
  if (trimmed === "") throw bad("it is empty");
  const open = trimmed.indexOf("(");
  const name = open < 0 ? trimmed : trimmed.slice(0, open).trim();
  const kind = Object.hasOwn(KINDS, name.toLowerCase()) ? KINDS[name.toLowerCase()] : undefined;
  if (open < 0 && kind === undefined) {
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) throw bad("neither kind(pattern) nor a tool's name");
    return { effect, kind: "tool", pattern: name, text: name };
  }
  if (kind === undefined) throw bad(`unknown kind "${name}"; known: ${KIND_NAMES}`);
  if (open >= 0 && !trimmed.endsWith(")")) throw bad('the closing ")" is missing');
  const pattern = open < 0 ? "*" : trimmed.slice(open + 1, -1).trim();
  const problem = pattern === "" ? "the pattern is empty" : patternProblem(effect, kind, pattern);
  if (problem !== undefined) throw bad(problem);
  return { effect, kind, pattern, text: `${kind}(${pattern})` };
}

function isEffect(effect: string): effect is RuleEffect {
  return EFFECTS.includes(effect);
}

function patternProblem(effect: RuleEffect, kind: RuleKind, pattern: string): string | undefined {
  if (kind === "read" && effect !== "deny") return "reading never asks, so read can only be denied";
  if (kind === "web" && /[/\s]/.test(pattern))
    return "web takes a host such as example.com or *.example.com, not an address";
  if (kind !== "shell" || !pattern.startsWith("re:")) return undefined;
  try {
    RE2JS.compile(pattern.slice("re:".length));
    return undefined;
  } catch (error) {
    return `its regular expression doesn't compile: ${error instanceof Error ? error.message : String(error)}`;
  }
}
