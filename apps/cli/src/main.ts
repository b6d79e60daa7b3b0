// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The blitz command. Loads nothing but this file to answer --version (00 decision 20).

import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";

/** `dev` unless the build stamped a version. */
const VERSION: string = process.env["BLITZ_BUILD_VERSION"] ?? "dev";

const args: readonly string[] = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`blitz ${VERSION}\n`);
} else {
  enableCompileCache(path.join(homedir(), ".blitz", "cache", "compile"));
  const { main } = await import("./cli.js");
  process.exitCode = await main(args, VERSION);
}
