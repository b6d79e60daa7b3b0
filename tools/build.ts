// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Bundles the command line program into dist/cli: one small entry and lazy chunks (00 decision 20).
// `--if-stale` does nothing when no source is newer than the last bundle.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const ROOT: string = path.resolve(import.meta.dirname, "..");
const OUT: string = path.join(ROOT, "dist", "cli");
const STAMP: string = path.join(OUT, "stamp");
const SOURCES: readonly string[] = ["apps", "pkg", "proto"];

function newestSource(dir: string): number {
  let newest = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (["node_modules", "dist", "gen"].includes(entry.name)) continue;
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestSource(full));
    else if (/\.(ts|json|proto)$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
      newest = Math.max(newest, statSync(full).mtimeMs);
  }
  return newest;
}

/** Whether a source, the lock file or this script changed after the last bundle was begun. */
export function isStale(): boolean {
  if (!existsSync(STAMP)) return true;
  const built = statSync(STAMP).mtimeMs;
  const inputs = [
    ...SOURCES.map((dir) => newestSource(path.join(ROOT, dir))),
    statSync(path.join(ROOT, "pnpm-lock.yaml")).mtimeMs,
    statSync(import.meta.filename).mtimeMs,
  ];
  return inputs.some((time) => time > built);
}

/** Builds into a folder beside and renames it into place, so a running `blitz` never meets half a bundle. */
export async function bundleCli(version: string = "dev"): Promise<void> {
  const begun = new Date();
  const made = `${OUT}.tmp-${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const common = {
    absWorkingDir: ROOT,
    outdir: made,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    legalComments: "none",
    logLevel: "warning",
  } as const;
  await Promise.all([
    // The entry by itself: it must load nothing but itself to answer --version.
    build({
      ...common,
      entryPoints: { blitz: "apps/cli/src/main.ts" },
      define: { "process.env.BLITZ_BUILD_VERSION": JSON.stringify(version) },
      plugins: [
        {
          name: "rest",
          setup: ({ onResolve }) =>
            onResolve({ filter: /^\.\/cli\.js$/ }, () => ({ path: "./cli.mjs", external: true })),
        },
      ],
    }),
    build({
      ...common,
      entryPoints: { cli: "apps/cli/src/cli.ts" },
      splitting: true,
      conditions: ["blitz-source", "node", "import"],
      inject: ["build/web-classes.ts"],
      chunkNames: "chunks/[name]-[hash]",
      banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    }),
  ]);
  writeFileSync(path.join(made, "stamp"), "");
  utimesSync(path.join(made, "stamp"), begun, begun);
  const old = `${OUT}.old-${process.pid}`;
  if (existsSync(OUT)) renameSync(OUT, old);
  renameSync(made, OUT);
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) {
  const onlyIfStale = process.argv.includes("--if-stale");
  if (!onlyIfStale || isStale()) {
    await bundleCli(process.env["BLITZ_VERSION"] ?? "dev");
    if (!onlyIfStale) process.stderr.write("blitz: built dist/cli\n");
  }
}
