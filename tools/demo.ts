// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// `npm run demo`: builds what is stale and shows the main job.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { bundlePrograms, isStale } from "./build.ts";

if (isStale()) {
  process.stderr.write("blitz: building the programs\n");
  await bundlePrograms();
}
const blitz = path.resolve(import.meta.dirname, "..", "dist", "cli", "blitz.mjs");
const done = spawnSync(process.execPath, [blitz, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = done.status ?? 1;
