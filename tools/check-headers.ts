// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Every source file begins with the license header: two lines, after a `#!` line if there is one.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { finish, type Problem, type Report } from "./report.ts";
import { listFiles } from "./sources.ts";

const HEADER: readonly string[] = ["SPDX-License-Identifier: Apache-2.0", "Copyright 2026 The Blitz Authors"];
const ENDINGS: readonly string[] = [".ts", ".mjs", ".bzl", ".proto", "BUILD.bazel", "MODULE.bazel", ".sh", ".yaml"];
/** Files that have no ending to go by. */
const NAMED: readonly string[] = ["bin/blitz", ".ci/run", ".bazelrc"];
/** Written by a program that keeps no comments. */
const EXEMPT: ReadonlySet<string> = new Set(["pnpm-lock.yaml"]);

/** Whether a text begins with the header, in `//` or `#` comments. */
export function hasHeader(text: string): boolean {
  const lines = text.split("\n", 4);
  if (lines[0]?.startsWith("#!")) lines.shift();
  return HEADER.every((line, at) => lines[at] === `// ${line}` || lines[at] === `# ${line}`);
}

/** Checks every file of a root whose kind carries a header. */
export function checkHeaders(root: string): Report {
  const listed = listFiles(root, ["."], ENDINGS).filter((file) => !EXEMPT.has(file));
  const files = [...listed, ...NAMED.filter((file) => existsSync(path.join(root, file)))];
  const problems: Problem[] = files
    .filter((file) => !hasHeader(readFileSync(path.join(root, file), "utf8")))
    .map((file) => ({ file, line: 1, rule: "header", text: "the two license lines are missing" }));
  return { files: files.length, problems };
}

if (import.meta.main) process.exitCode = finish("headers", checkHeaders(path.resolve(import.meta.dirname, "..")));
