// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "./environment.js";

/**
 * Environment for git commands that only read: switches off what a repository's hooks, submodules and
 * usual settings could make git start, without a change to the command itself (APR-58).
 */
export const GIT_READ_ONLY_ENVIRONMENT: Environment = configEnvironment({
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "diff.ignoreSubmodules": "all",
  "log.showSignature": "false",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
});

/**
 * Whether that environment is enough for the repository `dir` is in: its configuration has nothing
 * but settings known to start no program. A repository of another shape (worktree, submodules,
 * bare) isn't looked into: its commands ask. Looks at the disk; cheap enough for every command.
 */
export function isGitGuarded(dir: string): boolean {
  for (let folder = dir; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats !== undefined) return stats.isDirectory() && isPlainRepository(folder, git);
    if (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"))) return false;
    if (folder === dirname(folder)) return true; // no repository: git only says so
  }
}

function isPlainRepository(folder: string, git: string): boolean {
  const hasOther = ["config.worktree", "commondir", "modules"].some((name) => existsSync(join(git, name)));
  if (hasOther || existsSync(join(folder, ".gitmodules"))) return false;
  try {
    return isPlainGitConfig(readFileSync(join(git, "config"), "utf8"));
  } catch {
    return false; // unreadable: not known to be harmless
  }
}

/** Settings that start no program, by section; the rest of git's hundreds isn't known to be harmless. */
const PLAIN: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|abbrev|quotepath)$/,
  extensions: /^objectformat$/,
  user: /^(name|email)$/,
  remote: /^(url|pushurl|fetch|push|tagopt|prune)$/,
  branch: /^(remote|merge|rebase|pushremote|description)$/,
  init: /^defaultbranch$/,
  pull: /^(rebase|ff)$/,
  push: /^(default|autosetupremote|followtags)$/,
  color: /^[a-z]+$/,
  advice: /^[a-z]+$/,
};

/** Whether a configuration file is written plainly and has such settings only. Anything unusual in its form is a no. */
export function isPlainGitConfig(text: string): boolean {
  let keys: RegExp | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;].*)?$/.test(line)) continue;
    const section = /^\s*\[([A-Za-z0-9-]+)(?: "[^"\\]*")?\]\s*$/.exec(line)?.[1]?.toLowerCase();
    if (section !== undefined) {
      keys = Object.hasOwn(PLAIN, section) ? PLAIN[section] : undefined;
      if (keys === undefined) return false;
      continue;
    }
    const key = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=.*[^\\]|=)?$/.exec(line)?.[1]?.toLowerCase();
    if (key === undefined || keys?.test(key) !== true) return false;
  }
  return true;
}

function configEnvironment(settings: Readonly<Record<string, string>>): Environment {
  const entries = Object.entries(settings);
  const pairs = entries.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return Object.freeze({
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: String(entries.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
  });
}
