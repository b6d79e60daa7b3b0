// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";
import { READ_ONLY_COMMANDS, READ_ONLY_EXCEPTIONS, READ_ONLY_GIT } from "./read-only.js";
import { compileShellPattern, type ShellPattern } from "./shell-pattern.js";

/** What a policy is made of. Lists of patterns as SH-11 has them. */
export interface PolicyOptions {
  /** `[sandbox.commands] allow`: not empty = everything else is denied. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly autoApprove: readonly string[];
  /** Patterns of the user's `shell` rules. */
  readonly rules: {
    readonly deny: readonly string[];
    readonly ask: readonly string[];
    readonly allow: readonly string[];
  };
  /** The built-in rules hold: `read_only_defaults`, and an OS sandbox is active (APR-63). */
  readonly readOnlyDefaults: boolean;
  /**
   * Whether the built-in rules for git hold in a directory: every program the repository there could
   * make git start is switched off when the command runs (APR-58).
   */
  readonly gitGuarded: boolean | ((cwd: string) => boolean);
  /** Whether a bare name is, on PATH, a program outside every writable root. */
  readonly isSystemProgram: (name: string) => boolean;
  /**
   * Only without an OS sandbox: whether a word names, or leads by a link to, something blocked
   * (APR-63). Then commands that may reach such a thing always ask.
   */
  readonly isBlocked?: (word: string) => boolean;
}

/** A policy ready for judging. */
export interface CompiledPolicy {
  readonly deny: readonly ShellPattern[];
  /** The user's ask rules. */
  readonly ask: readonly ShellPattern[];
  /** Built-in exceptions: they ask, but don't make unverified commands ask. */
  readonly exceptions: readonly ShellPattern[];
  readonly allow: readonly ShellPattern[];
  readonly auto: readonly ShellPattern[];
  /** Built-in rules for git, under their condition. */
  readonly readOnlyGit: readonly ShellPattern[];
  readonly gitGuarded: (cwd: string) => boolean;
  readonly isSystemProgram: (name: string) => boolean;
  readonly isBlocked: ((word: string) => boolean) | undefined;
}

/** `[sandbox.commands] deny` unless the user sets it. */
export const DEFAULT_DENY: readonly string[] = [
  "sudo *",
  "su *",
  "doas *",
  "shutdown *",
  "reboot *",
  "halt *",
  "mkfs *",
  "mkfs.*",
  "diskutil erase*",
];

/**
 * Compiles a policy; blank patterns are ignored.
 *
 * @throws ApiError `INVALID_SETTING` for an expression that doesn't compile
 */
export function compilePolicy(options: PolicyOptions): CompiledPolicy {
  const { rules, readOnlyDefaults, gitGuarded } = options;
  const builtIn = readOnlyDefaults ? READ_ONLY_COMMANDS : [];
  return {
    deny: [...compileAll("sandbox.commands.deny", options.deny), ...compileAll("permissions.deny", rules.deny)],
    ask: compileAll("permissions.ask", rules.ask),
    exceptions: compileAll("permissions.ask", readOnlyDefaults ? READ_ONLY_EXCEPTIONS : []),
    allow: compileAll("sandbox.commands.allow", options.allow),
    auto: [
      ...compileAll("sandbox.commands.auto_approve", options.autoApprove),
      ...compileAll("permissions.allow", [...rules.allow, ...builtIn]),
    ],
    readOnlyGit: compileAll("permissions.allow", readOnlyDefaults ? READ_ONLY_GIT : []),
    gitGuarded: typeof gitGuarded === "boolean" ? () => gitGuarded : gitGuarded,
    isSystemProgram: options.isSystemProgram,
    isBlocked: options.isBlocked,
  };
}

function compileAll(key: string, sources: readonly string[]): readonly ShellPattern[] {
  return sources.flatMap((source) => {
    try {
      return compileShellPattern(source) ?? [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw apiError(
        "INVALID_SETTING",
        `${key}: the expression "${source}" doesn't compile: ${why}`,
        { key, value: source },
        error,
      );
    }
  });
}
