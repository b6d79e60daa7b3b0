// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Nothing that a program makes is in git (28 MR-12).

import { spawnSync } from "node:child_process";
import path from "node:path";
import { finish, type Problem, type Report } from "./report.ts";

/** Folders and files that only builds write. BUILD.bazel and lock files are the exceptions we keep. */
const MADE =
  /(^|\/)(node_modules|dist|coverage|generated|\.toolchain)\/|^bazel-[^/]+(\/|$)|\.(tsbuildinfo|d\.ts|js\.map)$|_pb\.(ts|js)$|^proto\/gen\/|^pkg\/.*\.js$|^apps\/.*\.js$/;

/** Declarations that tsconfig.base.json puts in place of a library's own: nobody makes them. */
const WRITTEN: ReadonlySet<string> = new Set([
  "apps/cli/src/tui/live/highlight-js-core.d.ts",
  "apps/cli/src/tui/live/highlight-js-language.d.ts",
]);

/** Which of the tracked files a build made. */
export function generatedAmong(files: readonly string[]): Report {
  const problems: Problem[] = files
    .filter((file) => MADE.test(file) && !WRITTEN.has(file))
    .map((file) => ({ file, line: 0, rule: "generated", text: "made by a build; git rm --cached it" }));
  return { files: files.length, problems };
}

/** Asks git for the tracked files of a root; a root without git gives no files. */
export function checkGenerated(root: string): Report {
  const done = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  return generatedAmong((done.stdout ?? "").split("\0").filter((file) => file !== ""));
}

if (import.meta.main) process.exitCode = finish("generated", checkGenerated(path.resolve(import.meta.dirname, "..")));
