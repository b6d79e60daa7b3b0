// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The blitzd command. Loads nothing but this file to answer --version.

import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";

/** `dev` unless the build stamped a version. */
const VERSION: string = process.env["BLITZ_BUILD_VERSION"] ?? "dev";

const args: readonly string[] = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`blitzd ${VERSION}\n`);
} else {
  enableCompileCache(ownedCache(path.join(homedir(), ".blitz", "cache", "compile")));
  const { main } = await import("./blitzd.js");
  process.exitCode = await main(args, VERSION);
}

/** Makes a cache folder nobody else can write, whatever the umask: what is in it is run (SET-50). */
function ownedCache(dir: string): string {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch {
    // Not writable: the cache does without, and whatever else needs the folder says so.
  }
  return dir;
}
