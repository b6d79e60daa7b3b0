// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// `npm run bench [rounds]`: builds what is stale, bundles bench/main.ts and runs it from the checkout.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { bundlePrograms, isStale } from "./build.ts";

const ROOT: string = path.resolve(import.meta.dirname, "..");
const OUT: string = path.join(ROOT, "dist", "bench", "main.mjs");

if (isStale()) await bundlePrograms();
await build({
  absWorkingDir: ROOT,
  entryPoints: ["bench/main.ts"],
  outfile: OUT,
  bundle: true,
  platform: "node",
  format: "esm",
  conditions: ["blitz-source"],
  external: ["esbuild"],
  logLevel: "warning",
});
const done = spawnSync(process.execPath, [OUT, ...process.argv.slice(2)], { cwd: ROOT, stdio: "inherit" });
process.exitCode = done.status ?? 1;
