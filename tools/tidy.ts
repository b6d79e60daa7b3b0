// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Writes the BUILD.bazel files of packages and rooms: `deps` from the imports that the table allows,
// `visibility` from who may import. `--check` changes nothing and fails when one is stale (28 §4).

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Load, renderBuildFile, renderRule, sortLabels } from "./build-file.ts";
import { type DepsTable, ENGINE, packageOf, readTable, roomOf, roomsAllowed, type TestNeeds } from "./deps-table.ts";
import { isTest, packageNameOf, readSources, type Source } from "./sources.ts";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What the writer knows about the repository. */
interface Repository {
  readonly table: DepsTable;
  readonly sources: readonly Source[];
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Packages present, by path. */
  readonly packages: readonly string[];
  /** Rooms present. */
  readonly rooms: readonly string[];
}

/** The text each BUILD.bazel should have, by path relative to the root. */
export function buildFiles(root: string): ReadonlyMap<string, string> {
  const repository = readRepository(root);
  const files = new Map<string, string>();
  for (const dir of repository.packages) files.set(`${dir}/BUILD.bazel`, packageFile(repository, dir));
  for (const room of repository.rooms) files.set(`${ENGINE}/${room}/BUILD.bazel`, roomFile(repository, room));
  return files;
}

function readRepository(root: string): Repository {
  const table = readTable(root);
  const sources = readSources(root, ["pkg", "apps"]);
  const packages = Object.keys(table.packages).filter(
    (dir) => /^(pkg|apps)\//.test(dir) && existsSync(path.join(root, dir, "package.json")),
  );
  const read = (dir: string): Manifest =>
    JSON.parse(readFileSync(path.join(root, dir, "package.json"), "utf8")) as Manifest;
  const manifests = new Map([...packages, "."].map((dir) => [dir, read(dir)]));
  const withFiles = new Set(sources.map((source) => roomOf(table, source.file)));
  const rooms = Object.keys(table.rooms).filter((room) => withFiles.has(room));
  return { table, sources, manifests, packages, rooms };
}

const LINK: Load = ["@npm//:defs.bzl", "npm_link_all_packages"];
const ROOM: Load = ["//build:room.bzl", "room"];

function packageFile(repository: Repository, dir: string): string {
  const { table, packages, manifests } = repository;
  const name = path.posix.basename(dir);
  const users = packages.filter((other) => other !== dir && declares(manifests.get(other), `@blitz/${name}`));
  const rules = [
    renderRule("npm_link_all_packages", { name: "node_modules" }),
    renderRule("js_library", {
      name: "package_json",
      srcs: ["package.json"],
      visibility: [`//${dir}:__subpackages__`],
    }),
  ];
  const mine = repository.sources.filter(
    (source) => packageOf(source.file) === dir && roomOf(table, source.file) === undefined,
  );
  const loads: Load[] = [["@aspect_rules_js//js:defs.bzl", "js_library"], LINK];
  if (mine.length === 0) return renderBuildFile(loads, rules);
  loads.push(ROOM);
  rules.push(roomRule(repository, { name, dir, sources: mine, visibility: [] }, table.packageTests?.[dir] ?? {}));
  if (users.length > 0) {
    loads.push(["//build:package.bzl", "blitz_package"]);
    const visibility = sortLabels(["//:__pkg__", ...users.map((user) => `//${user}:__pkg__`)]);
    rules.push(renderRule("blitz_package", { name: "pkg", srcs: [`:${name}`], visibility }));
  }
  return renderBuildFile(loads, rules);
}

function roomFile(repository: Repository, room: string): string {
  const { table, sources, rooms } = repository;
  const mine = sources.filter((source) => roomOf(table, source.file) === room);
  const importers = rooms.filter((other) => other !== room && roomsAllowed(table, other).includes(room));
  // Bazel can't tell a room's tests from the room, so rooms whose tests come here are let in too;
  // the source check holds their sources to the table.
  const testers = sources
    .filter((source) => isTest(source.file) && roomsImported(table, source).includes(room))
    .map((source) => roomOf(table, source.file))
    .filter((other) => other !== undefined && other !== room);
  const visibility = [...importers, ...testers].map((other) => `//${ENGINE}/${other}:__pkg__`);
  if (table.entry.may.includes(room)) visibility.push(`//${ENGINE}:__pkg__`);
  const target = {
    name: path.posix.basename(room),
    dir: `${ENGINE}/${room}`,
    sources: mine,
    visibility: sortLabels(visibility),
  };
  return renderBuildFile([ROOM], [roomRule(repository, target, { tags: table.rooms[room]?.testTags ?? [] })]);
}

interface Target {
  readonly name: string;
  readonly dir: string;
  readonly sources: readonly Source[];
  readonly visibility: readonly string[];
}

function roomRule(repository: Repository, target: Target, needs: TestNeeds): string {
  const labelsOf = (some: readonly Source[]): readonly string[] =>
    sortLabels(some.flatMap((source) => importLabels(repository, source, target.dir)));
  const deps = labelsOf(target.sources.filter((source) => !isTest(source.file)));
  const beyond = (labels: readonly string[]): readonly string[] => labels.filter((label) => !deps.includes(label));
  const tests = target.sources.filter((source) => source.file.endsWith(".test.ts"));
  const testing = target.sources.filter((source) => isTest(source.file) && !tests.includes(source));
  const packageDir = packageOf(`${target.dir}/x`);
  return renderRule("room", {
    name: target.name,
    package_json: packageDir === target.dir ? ":package_json" : `//${packageDir}:package_json`,
    test_data: tests.length > 0 ? (needs.data ?? []) : [],
    test_deps: beyond(labelsOf(tests)),
    test_size: tests.length > 0 ? needs.size : undefined,
    test_tags: tests.length > 0 ? (needs.tags ?? []) : [],
    testing_deps: beyond(labelsOf(testing)),
    visibility: target.visibility,
    deps,
  });
}

function importLabels(repository: Repository, source: Source, dir: string): readonly string[] {
  const labels: string[] = [];
  for (const { specifier } of source.imports) {
    if (specifier.startsWith(".")) labels.push(...roomLabels(repository, source, specifier, dir));
    else if (!specifier.startsWith("node:") && specifier !== "<computed>")
      labels.push(...npmLabels(repository, source, packageNameOf(specifier), dir));
  }
  return labels;
}

function roomLabels(repository: Repository, source: Source, specifier: string, dir: string): readonly string[] {
  const file = path.posix.join(path.posix.dirname(source.file), specifier);
  const room = roomOf(repository.table, file);
  const home = room === undefined ? packageOf(file) : `${ENGINE}/${room}`;
  if (home === dir) return [];
  // The fakes behind `testing/` are a target of their own, which re-exports the room's types.
  return isTest(file) ? [`//${home}:${path.posix.basename(home)}_testing`, `//${home}`] : [`//${home}`];
}

function npmLabels(repository: Repository, source: Source, name: string, dir: string): readonly string[] {
  const packageDir = packageOf(source.file);
  const link = (from: string, what: string): string =>
    `${from === dir ? "" : `//${from === "." ? "" : from}`}:node_modules/${what}`;
  for (const from of [packageDir, "."]) {
    const manifest = repository.manifests.get(from);
    if (!declares(manifest, name)) continue;
    const types = `@types/${name}`;
    return declares(manifest, types) ? [link(from, name), link(from, types)] : [link(from, name)];
  }
  return []; // undeclared: the source check says so
}

function declares(manifest: Manifest | undefined, name: string): boolean {
  return manifest?.dependencies?.[name] !== undefined || manifest?.devDependencies?.[name] !== undefined;
}

/** Rooms other than its own that a file imports. */
function roomsImported(table: DepsTable, source: Source): readonly string[] {
  const own = roomOf(table, source.file);
  return source.imports
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => roomOf(table, path.posix.join(path.posix.dirname(source.file), specifier)))
    .filter((room) => room !== undefined && room !== own)
    .map((room) => room ?? "");
}

/** Files whose text on disk differs, in order. */
export function staleFiles(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([file, text]) => {
      const full = path.join(root, file);
      return !existsSync(full) || readFileSync(full, "utf8") !== text;
    })
    .map(([file]) => file);
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, "..");
  const files = buildFiles(root);
  const stale = staleFiles(root, files);
  const check = process.argv.includes("--check");
  for (const file of stale) {
    if (check)
      process.stdout.write(`${file}: out of step with the imports; node tools/bootstrap.mjs run tools/tidy.ts\n`);
    else writeFileSync(path.join(root, file), files.get(file) ?? "");
  }
  process.stdout.write(`tidy: ${files.size} BUILD.bazel files, ${stale.length} ${check ? "stale" : "written"}\n`);
  process.exitCode = files.size === 0 || (check && stale.length > 0) ? 1 : 0;
}
