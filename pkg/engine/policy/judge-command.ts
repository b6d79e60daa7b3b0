// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { CompiledPolicy } from "./compile-policy.js";
import { findCommands } from "./find-commands.js";
import type { Findings, FoundCommand } from "./findings.js";
import { coveredBy, type ShellPattern } from "./shell-pattern.js";
import { BUILTINS } from "./wrappers.js";

/** What the policy says about a script (07 §2). */
export interface Judgement {
  readonly verdict: "deny" | "needs_approval" | "auto_approve";
  /** Why, in words for the person who is asked and for the model. */
  readonly reason: string;
  /** Every command found in it; a wrapper comes after what it runs. */
  readonly commands: readonly string[];
  /** An ask rule covers it, or may: only a person can allow it, each time. */
  readonly mustAsk: boolean;
  /** A file a redirection writes. */
  readonly redirect?: string;
  /** It is allowed by a built-in rule for git: it has to run with git's guard (APR-58). */
  readonly readOnlyGit?: true;
}

/** Longer scripts aren't looked into: they count as unparsable. */
const MAX_SCRIPT_CHARS = 64 * 1024;

/**
 * Judges a shell script by the policy (SH-14). A guardrail, not a boundary: an allowed interpreter can
 * do anything (SH-15). Pure; nothing is run or looked up but through the policy's own functions.
 *
 * @param cwd - where it would run, for the policy's `gitGuarded`
 */
export function judgeCommand(script: string, policy: CompiledPolicy, cwd = ""): Judgement {
  const findings = script.length > MAX_SCRIPT_CHARS ? TOO_LONG : findCommands(script);
  const about = {
    commands: findings.commands.map(({ text }) => text),
    ...(findings.redirect === undefined ? {} : { redirect: findings.redirect }),
  };
  const denied = firstCovered(policy.deny, findings);
  if (denied !== undefined) return { verdict: "deny", reason: denied, mustAsk: false, ...about };
  const listed = policy.allow.length === 0 ? undefined : listRefusal(findings, policy);
  if (listed !== undefined) return { verdict: "deny", reason: listed, mustAsk: false, ...about };
  const asked = askReason(findings, policy);
  if (asked !== undefined) return { verdict: "needs_approval", reason: asked, mustAsk: true, ...about };
  const usesGit = findings.commands.some((command) => isReadOnlyGit(command, policy));
  const unclear =
    unclearReason(findings) ?? unlistedReason(findings, policy, usesGit && isGitFree(findings, policy, cwd));
  if (unclear !== undefined) return { verdict: "needs_approval", reason: unclear, mustAsk: false, ...about };
  const guard = usesGit ? { readOnlyGit: true as const } : {};
  return { verdict: "auto_approve", reason: "every command in it is allowed", mustAsk: false, ...about, ...guard };
}

const TOO_LONG: Findings = {
  commands: [],
  redirect: undefined,
  unverified: [],
  obstacles: [],
  parseError: "it is too long to check",
};

function firstCovered(patterns: readonly ShellPattern[], { commands }: Findings): string | undefined {
  for (const command of commands) {
    const pattern = coveredBy(patterns, command, true);
    if (pattern !== undefined) return `"${shortened(command.text)}" matches "${pattern.source}"`;
  }
  return undefined;
}

/** Why an allow-list refuses it: everything has to be seen, and listed. */
function listRefusal(findings: Findings, policy: CompiledPolicy): string | undefined {
  if (findings.parseError !== undefined)
    return `it can't be parsed (${findings.parseError}), and only listed commands are allowed`;
  const [unverified] = findings.unverified;
  if (unverified !== undefined) return `${unverified}, and only listed commands are allowed`;
  const unlisted = findings.commands.find(
    (command) => !command.isWrapper && coveredBy(policy.allow, command, true) === undefined,
  );
  return unlisted === undefined ? undefined : `"${shortened(unlisted.text)}" is not on the list of allowed commands`;
}

/** Why only a person can allow it, each time. */
function askReason(findings: Findings, policy: CompiledPolicy): string | undefined {
  const matched = firstCovered([...policy.ask, ...policy.exceptions], findings);
  if (matched !== undefined) return matched;
  const exposed = policy.isBlocked === undefined ? undefined : exposure(findings, policy.isBlocked);
  if (exposed !== undefined) return exposed;
  if (policy.ask.length === 0) return undefined;
  if (findings.parseError !== undefined) return `it can't be parsed (${findings.parseError})`;
  return findings.unverified[0];
}

/** Why the script isn't clear enough to be allowed without asking. */
function unclearReason(findings: Findings): string | undefined {
  if (findings.parseError !== undefined) return `it can't be parsed: ${findings.parseError}`;
  const [unverified] = findings.unverified;
  if (unverified !== undefined) return unverified;
  if (findings.redirect !== undefined) return `it writes the file ${findings.redirect}`;
  const [obstacle] = findings.obstacles;
  if (obstacle !== undefined) return obstacle;
  const dynamic = findings.commands.find(({ isDynamic, isWrapper }) => isDynamic && !isWrapper);
  if (dynamic !== undefined) return `"${shortened(dynamic.text)}" has words that are only known when it runs`;
  return findings.commands.some(({ isWrapper }) => !isWrapper) ? undefined : "no command was found in it";
}

/** The first command that nothing allows, or that may not be the program its name says. */
function unlistedReason({ commands }: Findings, policy: CompiledPolicy, gitIsFree: boolean): string | undefined {
  for (const command of commands) {
    const patterns = gitIsFree ? [...policy.auto, ...policy.readOnlyGit] : policy.auto;
    const pattern = command.isWrapper ? undefined : coveredBy(patterns, command, false);
    if (!command.isWrapper && pattern === undefined)
      return `"${shortened(command.text)}" is not on the list of commands allowed without asking`;
    if (!isNamedProgram(command, pattern, policy)) return `${command.name} may not be the program the rule means`;
  }
  return undefined;
}

/** Whether only a built-in rule for git allows the command. */
function isReadOnlyGit(command: FoundCommand, { auto, readOnlyGit }: CompiledPolicy): boolean {
  return coveredBy(readOnlyGit, command, false) !== undefined && coveredBy(auto, command, false) === undefined;
}

/** Whether git's guard is enough where the script runs, and it stays there. */
function isGitFree({ commands }: Findings, policy: CompiledPolicy, cwd: string): boolean {
  return !commands.some(({ name }) => name === "cd" || name === "pushd" || name === "popd") && policy.gitGuarded(cwd);
}

/** SH-11: a path only if the rule has that path, a bare name only if it is a builtin or a system program. */
function isNamedProgram({ name }: FoundCommand, pattern: ShellPattern | undefined, policy: CompiledPolicy): boolean {
  if (name === undefined || /\s/.test(name) || name === "") return false;
  if (name.includes("/")) return pattern?.source.split(/\s+/).includes(name) === true;
  return BUILTINS.has(name) || policy.isSystemProgram(name);
}

const RECURSIVE_PROGRAMS: ReadonlySet<string> = new Set([
  "find",
  "rg",
  "tar",
  "zip",
  "rsync",
  "tree",
  "git",
  "ag",
  "fd",
]);

/** Without a sandbox nothing hides blocked files: whether the script names one, or may come upon one (APR-63). */
function exposure({ commands }: Findings, isBlocked: (word: string) => boolean): string | undefined {
  for (const { words, name, isDynamic, text } of commands) {
    const named = words.slice(1).find((word) => isBlocked(word) || isBlocked(word.slice(word.indexOf("=") + 1)));
    if (named !== undefined) return `"${shortened(text)}" names ${named}, which is blocked`;
    const isRecursive =
      RECURSIVE_PROGRAMS.has(name ?? "") || words.some((word) => /^(-[A-Za-z]*[rR]|--(recursive|archive))/.test(word));
    if (isDynamic || isRecursive) return `"${shortened(text)}" may reach blocked files, and no sandbox hides them`;
  }
  return undefined;
}

function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
