// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The protos as others already have them, from git: what a change of them is compared with.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";

const MAIN = "refs/remotes/origin/main";

/** What git answers; `undefined` when it refuses, which here always means: there is no such thing. */
function git(root: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string | undefined {
  const done = spawnSync("git", [...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 64 << 20,
  });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

const commitOf = (root: string, name: string): string | undefined =>
  git(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);

/**
 * The commit whose protos others have: where HEAD left origin's main; without such a main, or on it, the
 * one before the last change of the protos, so that a fresh clone checks that change.
 *
 * @returns `undefined` when there is no such commit or it has no protos
 */
export function landedCommit(root: string): string | undefined {
  const head = commitOf(root, "HEAD");
  if (head === undefined) return undefined;
  const left = git(root, ["merge-base", MAIN, head]);
  const base = left === undefined || left === head ? beforeLastChange(root) : left;
  return base !== undefined && git(root, ["rev-parse", "--verify", "--quiet", `${base}:proto/blitz`]) !== undefined
    ? base
    : undefined;
}

function beforeLastChange(root: string): string | undefined {
  const changed = git(root, ["log", "-1", "--format=%H", "--", "proto/blitz"]);
  return changed === undefined || changed === "" ? undefined : commitOf(root, `${changed}^`);
}

/** Why a break since a commit is meant: what follows `Breaking-API:` in the newest message that says so (SVC-41). */
export function declaredBreak(root: string, since: string): string | undefined {
  const messages = git(root, ["log", "--format=%B", `${since}..HEAD`]) ?? "";
  return /^Breaking-API:[ \t]*(\S.*)$/m.exec(messages)?.[1];
}

/** Writes a commit's `proto` folder as a new folder; the checkout and its index stay as they are. */
export function writeProtosOf(root: string, commit: string, folder: string): void {
  mkdirSync(folder);
  const index = { GIT_INDEX_FILE: path.join(folder, ".index") };
  const read = git(root, ["read-tree", `${commit}:proto`], index);
  if (read === undefined || git(root, ["checkout-index", "--all", `--prefix=${folder}/`], index) === undefined)
    throw new Error(`git can't write the protos of ${commit}`);
}
