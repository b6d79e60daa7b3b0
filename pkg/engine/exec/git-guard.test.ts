// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { GIT_READ_ONLY_ENVIRONMENT, isGitGuarded, isPlainGitConfig } from "./git-guard.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function repository(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "blitz-git-")));
  folders.push(dir);
  git(dir, "init", "-q");
  writeFileSync(join(dir, "a.txt"), "one\n");
  git(dir, "add", ".");
  git(dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
  writeFileSync(join(dir, "a.txt"), "two\n");
  return dir;
}

function git(dir: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The read-only commands, as the agent's would run. */
function runReadOnly(dir: string): void {
  for (const args of [
    ["status"],
    ["log", "-p", "--stat"],
    ["show"],
    ["diff"],
    ["blame", "a.txt"],
    ["rev-parse", "HEAD"],
  ]) {
    execFileSync("git", args, {
      cwd: dir,
      env: { PATH: process.env["PATH"], HOME: dir, ...GIT_READ_ONLY_ENVIRONMENT },
      stdio: "ignore",
    });
  }
}

describe("isGitGuarded", () => {
  it("holds in an ordinary repository, below it, and where there is none", () => {
    const dir = repository();
    git(dir, "remote", "add", "origin", "https://example.com/x.git");
    git(dir, "config", "user.name", "Ann");
    mkdirSync(join(dir, "sub"));
    expect([isGitGuarded(dir), isGitGuarded(join(dir, "sub")), isGitGuarded("/")]).toEqual([true, true, true]);
  });

  it.each<[string, (dir: string) => void]>([
    ["a filter", (dir) => git(dir, "config", "filter.x.clean", "touch M")],
    ["a text converter", (dir) => git(dir, "config", "diff.x.textconv", "touch M")],
    ["a diff program", (dir) => git(dir, "config", "diff.external", "touch M")],
    ["a file monitor", (dir) => git(dir, "config", "core.fsmonitor", "touch M")],
    ["a pager", (dir) => git(dir, "config", "core.pager", "touch M")],
    ["a hook folder", (dir) => git(dir, "config", "core.hooksPath", "hooks")],
    ["another file included", (dir) => git(dir, "config", "include.path", "../x")],
    ["an alias", (dir) => git(dir, "config", "alias.x", "!touch M")],
    ["a partial clone", (dir) => git(dir, "config", "remote.o.promisor", "true")],
    ["a worktree configuration", (dir) => writeFileSync(join(dir, ".git/config.worktree"), "")],
    ["submodules", (dir) => writeFileSync(join(dir, ".gitmodules"), "")],
    ["no configuration", (dir) => rmSync(join(dir, ".git/config"))],
    [
      "a .git file",
      (dir) => {
        rmSync(join(dir, ".git"), { recursive: true });
        writeFileSync(join(dir, ".git"), "gitdir: /x");
      },
    ],
    [
      "a .git link",
      (dir) => {
        rmSync(join(dir, ".git"), { recursive: true });
        symlinkSync("/x", join(dir, ".git"));
      },
    ],
    [
      "the look of a bare one",
      (dir) => {
        rmSync(join(dir, ".git"), { recursive: true });
        mkdirSync(join(dir, "objects"));
        writeFileSync(join(dir, "HEAD"), "");
      },
    ],
  ])("doesn't hold in a repository with %s (APR-58)", (_name, change) => {
    const dir = repository();
    change(dir);
    expect(isGitGuarded(dir)).toBe(false);
  });

  it.each<[string, string, boolean]>([
    [
      "usual settings",
      '[core]\n\tbare = false\n[remote "a b"]\n\turl = x\n# c\n; d\n[Branch "m"]\n\tMerge = refs/heads/m\n',
      true,
    ],
    ["a key without a value", "[core]\n\tbare\n", true],
    ["a setting on the section's line", "[core] fsmonitor = x\n", false],
    ["a value that goes on", "[core]\n\tbare = fal\\\nse\n", false],
    ["an escaped section", '[remote "a\\"b"]\n\turl = x\n', false],
    ["the old form of sections", "[remote.origin]\n\turl = x\n", false],
    ["a key before any section", "bare = true\n", false],
    ["an unknown section", "[constructor]\n\tx = y\n", false],
  ])("reads %s: %s", (_name, text, isPlain) => {
    expect(isPlainGitConfig(text)).toBe(isPlain);
  });
});

describe("GIT_READ_ONLY_ENVIRONMENT", () => {
  it("keeps hooks, file monitors and pagers from starting, and writes nothing (APR-58, T-PERM-3)", () => {
    const dir = repository();
    const marker = join(dir, "M");
    for (const hook of ["post-index-change", "fsmonitor-watchman", "query-watchman"]) {
      writeFileSync(join(dir, ".git/hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    }
    git(dir, "config", "core.fsmonitor", `touch ${marker}; false`);
    git(dir, "config", "core.pager", `touch ${marker}; cat`);
    appendFileSync(join(dir, ".git/config"), `[pager]\n\tlog = touch ${marker}; cat\n`);
    const before = readdirSync(join(dir, ".git")).sort();
    runReadOnly(dir);
    expect([existsSync(marker), readdirSync(join(dir, ".git")).sort()]).toEqual([false, before]);
    // The trap works: without the guard it is sprung.
    execFileSync("git", ["status"], { cwd: dir, env: { PATH: process.env["PATH"], HOME: dir }, stdio: "ignore" });
    expect(existsSync(marker)).toBe(true);
  });

  it("doesn't look into a repository inside the repository", () => {
    const dir = repository();
    const inner = join(dir, "inner");
    mkdirSync(inner);
    git(inner, "init", "-q");
    git(inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
    git(dir, "add", "inner");
    const marker = join(dir, "M");
    git(inner, "config", "core.fsmonitor", `touch ${marker}; false`);
    runReadOnly(dir);
    expect(existsSync(marker)).toBe(false);
  });
});
