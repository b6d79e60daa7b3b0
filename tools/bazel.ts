// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// `npm run bazel -- <args>`: Bazel at the version of .bazelversion, brought by Bazelisk.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const UNREACHABLE =
  /could not (download|resolve|determine)|unable to (download|determine|complete)|no such host|dial tcp/i;

/** What to tell someone whose Bazelisk couldn't bring Bazel; `undefined` when its errors were about something else. */
export function downloadAdvice(errors: string, version: string): string | undefined {
  if (!UNREACHABLE.test(errors)) return undefined;
  return [
    `blitz: Bazelisk could not download Bazel ${version}, the version .bazelversion names.`,
    "blitz: set BAZELISK_BASE_URL to a mirror you reach, or put a Bazel of that version first in PATH and run it.",
    "blitz: npm run build, npm test and npm run check need no Bazel.",
  ].join("\n");
}

/** Runs Bazelisk in the root with this terminal; gives its exit code. */
async function runBazelisk(root: string, args: readonly string[]): Promise<number> {
  const bazelisk = path.join(root, "node_modules", "@bazel", "bazelisk", "bazelisk.js");
  if (!existsSync(bazelisk)) {
    process.stderr.write("blitz: Bazelisk isn't installed; run npm run bazel, which installs it first\n");
    return 1;
  }
  const child = spawn(process.execPath, [bazelisk, ...args], { cwd: root, stdio: ["inherit", "inherit", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString("utf8")).slice(-4096);
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve(status ?? 1));
  });
  const advice =
    code === 0 ? undefined : downloadAdvice(errors, readFileSync(path.join(root, ".bazelversion"), "utf8").trim());
  if (advice !== undefined) process.stderr.write(`${advice}\n`);
  return code;
}

if (import.meta.main)
  process.exitCode = await runBazelisk(path.resolve(import.meta.dirname, ".."), process.argv.slice(2));
