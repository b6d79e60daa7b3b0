// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Commands that only read, allowed without asking inside an active OS sandbox (APR-58). The `git` ones
 * count only where the programs a repository can make git start are switched off.
 */
export const READ_ONLY_COMMANDS: readonly string[] = [
  "ls",
  "pwd",
  "cat",
  "head",
  "tail",
  "wc",
  "stat",
  "du",
  "df",
  "which",
  "grep",
  "rg",
  "diff",
];

/** See {@link READ_ONLY_COMMANDS}. */
export const READ_ONLY_GIT: readonly string[] = ["status", "log", "show", "diff", "blame", "rev-parse"].map(
  (command) => `git ${command}`,
);

/** Options with which those write a file or start a program. Long options may be cut short. */
export const READ_ONLY_EXCEPTIONS: readonly string[] = [
  "git * --out*",
  "git * --ext*",
  "re:rg( .*)? (--pre|--hostname-bin|--search-zip|-[A-Za-z0-9.]*z).*",
];
