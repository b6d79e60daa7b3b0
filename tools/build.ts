// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Bundles the programs into dist: dist/cli (blitz) and dist/service (blitzd), each one small entry and
// lazy chunks (00 decision 20), with the license texts beside them (25 RR-05). `--if-stale` does nothing
// when no source is newer than the last bundle.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { renderNotices } from "./notices.ts";

const ROOT: string = path.resolve(import.meta.dirname, "..");
const STAMP: string = path.join(ROOT, "dist", "stamp");
const SOURCES: readonly string[] = ["apps", "pkg", "proto"];
/** Copied beside each bundle. */
const TEXTS: readonly string[] = ["LICENSE", "NOTICE"];
/** What else a bundle is made from; bin/blitz has the same list. */
const OTHER_SOURCES: readonly string[] = [
  ...TEXTS,
  "pnpm-lock.yaml",
  "tools/build.ts",
  "tools/license-texts.ts",
  "tools/notices.ts",
];

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

/** Whether a source, the lock file, a license text or what builds changed after the last bundle was begun. */
export function isStale(): boolean {
  if (!existsSync(STAMP)) return true;
  const built = statSync(STAMP).mtimeMs;
  const inputs = [
    ...SOURCES.map((dir) => newestSource(path.join(ROOT, dir))),
    ...OTHER_SOURCES.map((file) => statSync(path.join(ROOT, file)).mtimeMs),
  ];
  return inputs.some((time) => time > built);
}

/** A program: its folder under dist and in apps, its name, and the file its entry loads for everything else. */
interface Bundle {
  readonly folder: string;
  readonly name: string;
  readonly rest: string;
}

const BUNDLES: readonly Bundle[] = [
  { folder: "cli", name: "blitz", rest: "cli" },
  { folder: "service", name: "blitzd", rest: "blitzd" },
];

/** Builds every program; the stamp is as old as the beginning, so a change meanwhile counts as new. */
export async function bundlePrograms(version: string = "dev"): Promise<void> {
  const begun = new Date();
  await Promise.all(BUNDLES.map((bundle) => buildOne(bundle, version)));
  writeFileSync(STAMP, "");
  utimesSync(STAMP, begun, begun);
}

/** Builds into a folder beside and renames it into place, so a running program never meets half a bundle. */
async function buildOne({ folder, name, rest }: Bundle, version: string): Promise<void> {
  const out = path.join(ROOT, "dist", folder);
  const made = `${out}.tmp-${process.pid}`;
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
    metafile: true,
    logLevel: "warning",
  } as const;
  const bundles = await Promise.all([
    // The entry by itself: it must load nothing but itself to answer --version.
    build({
      ...common,
      entryPoints: { [name]: `apps/${folder}/src/main.ts` },
      define: { "process.env.BLITZ_BUILD_VERSION": JSON.stringify(version) },
      plugins: [
        {
          name: "rest",
          setup: ({ onResolve }) =>
            onResolve({ filter: new RegExp(`^\\./${rest}\\.js$`) }, () => ({ path: "./rest.mjs", external: true })),
        },
      ],
    }),
    build({
      ...common,
      entryPoints: { rest: `apps/${folder}/src/${rest}.ts` },
      splitting: true,
      conditions: ["blitz-source", "node", "import"],
      inject: ["build/web-classes.ts"],
      chunkNames: "chunks/[name]-[hash]",
      banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    }),
  ]);
  for (const text of TEXTS) copyFileSync(path.join(ROOT, text), path.join(made, text));
  const outputs = Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs)) as Metafile["outputs"];
  writeFileSync(path.join(made, "THIRD_PARTY_NOTICES"), renderNotices(ROOT, { outputs }));
  const old = `${out}.old-${process.pid}`;
  if (existsSync(out)) renameSync(out, old);
  renameSync(made, out);
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) {
  const onlyIfStale = process.argv.includes("--if-stale");
  if (!onlyIfStale || isStale()) {
    await bundlePrograms(process.env["BLITZ_VERSION"] ?? "dev");
    if (!onlyIfStale) process.stderr.write("blitz: built dist/cli and dist/service\n");
  }
}
