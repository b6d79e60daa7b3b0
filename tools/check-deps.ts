// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Who may import whom, checked over the sources without Bazel (28 MR-02, MR-03). Static, dynamic and
// type-only imports count alike. Run from any directory; exit 1 on any problem.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { findCycles } from "./cycles.ts";
import { type DepsTable, ENGINE, packageOf, readTable, roomOf, roomsAllowed } from "./deps-table.ts";
import { effectsOf } from "./effects.ts";
import { type Manifests, readManifests } from "./manifests.ts";
import { finish, type Problem, type Report } from "./report.ts";
import { type Import, isTest, packageNameOf, readSources, type Source } from "./sources.ts";

interface Context {
  readonly table: DepsTable;
  readonly manifests: Manifests;
  readonly files: ReadonlySet<string>;
}

type Finding = { readonly rule: string; readonly text: string } | undefined;

/** Checks every source under `pkg`, `apps`, `bench`, `tools` and `build` of a root. */
export function checkDeps(root: string): Report {
  const table = readTable(root);
  const sources = readSources(root, ["pkg", "apps", "bench", "tools", "build"]);
  const context = { table, manifests: readManifests(root), files: new Set(sources.map(({ file }) => file)) };
  const problems: Problem[] = [...unlisted(root, table, sources), ...tableProblems(table)];
  for (const source of sources) {
    for (const found of source.imports) {
      const finding = judge(context, source.file, found);
      if (finding !== undefined) problems.push({ file: source.file, line: found.line, ...finding });
    }
    problems.push(...effectsOf(table, source));
  }
  for (const cycle of findCycles(sources.filter(({ file }) => !isTest(file)))) {
    const [file = ""] = cycle;
    problems.push({ file, line: 0, rule: "cycle", text: [...cycle, file].join(" → ") });
  }
  return { files: sources.length, problems };
}

/** Packages and folders that have no row, and rooms and packages without a door. */
function unlisted(root: string, table: DepsTable, sources: readonly Source[]): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (file: string, rule: string, text: string): void => void problems.push({ file, line: 0, rule, text });
  for (const top of ["pkg", "apps"]) {
    if (!existsSync(path.join(root, top))) continue;
    for (const name of readdirSync(path.join(root, top)))
      if (table.packages[`${top}/${name}`] === undefined)
        add(`${top}/${name}`, "unlisted", "no row for this package in tools/deps.json");
  }
  const files = new Set(sources.map(({ file }) => file));
  const strays = new Set<string>();
  const rooms = new Set<string>();
  for (const { file } of sources) {
    const room = roomOf(table, file);
    if (room !== undefined) rooms.add(room);
    else if (file.startsWith(`${ENGINE}/`) && path.posix.dirname(file) !== ENGINE && !isTest(file))
      strays.add(path.posix.dirname(file));
  }
  for (const dir of strays) add(dir, "unlisted", "no row for this room in tools/deps.json");
  for (const room of rooms)
    if (!files.has(`${ENGINE}/${room}/index.ts`)) add(`${ENGINE}/${room}`, "door", "a room needs an index.ts");
  return problems;
}

/** Rows that break the house's own rules: upwards, in a circle, to a row that isn't there, to the engine. */
function tableProblems(table: DepsTable): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (text: string): void => void problems.push({ file: "tools/deps.json", line: 0, rule: "table", text });
  const edges = new Map<string, readonly string[]>();
  for (const [room, row] of Object.entries(table.rooms)) {
    const may = roomsAllowed(table, room);
    edges.set(room, may);
    for (const other of may) {
      const target = table.rooms[other];
      if (target === undefined) add(`${room} may import ${other}, which has no row`);
      else if (target.floor > row.floor) add(`${room} may import ${other}, which is on a floor above`);
    }
  }
  for (const [name, row] of Object.entries(table.packages)) {
    edges.set(name, row.uses);
    for (const other of [...row.uses, ...Object.keys(row.lazily ?? {})])
      if (table.packages[other] === undefined) add(`${name} uses ${other}, which has no row`);
  }
  for (const start of edges.keys()) {
    const reached = reachedFrom(edges, start);
    if (reached.has(start)) add(`${start} reaches itself`);
    if (reached.has(ENGINE) && !table.engineUsers.includes(start)) add(`${start} reaches the engine`);
  }
  return problems;
}

function reachedFrom(edges: ReadonlyMap<string, readonly string[]>, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...(edges.get(start) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    queue.push(...(edges.get(next) ?? []));
  }
  return reached;
}

function judge(context: Context, file: string, found: Import): Finding {
  if (found.specifier === "<computed>")
    return { rule: "computed", text: "import() of a computed path can't be checked" };
  if (found.specifier.startsWith(".")) return judgeRelative(context, file, found);
  if (found.specifier.startsWith("node:")) return undefined; // effectsOf judges those
  if (found.specifier.startsWith("@blitz/")) return judgePackage(context, file, found);
  const name = packageNameOf(found.specifier);
  return context.manifests.declares(packageOf(file), name, mayUseDev(context, file))
    ? undefined
    : { rule: "undeclared", text: `${name} isn't in the package.json of ${packageOf(file)}` };
}

const mayUseDev = ({ table }: Context, file: string): boolean =>
  isTest(file) || table.packages[packageOf(file)]?.program === true;

function judgeRelative(context: Context, file: string, found: Import): Finding {
  const { table } = context;
  const target = path.posix.join(path.posix.dirname(file), found.specifier).replace(/\.js$/, ".ts");
  if (packageOf(target) !== packageOf(file))
    return { rule: "package", text: `${found.specifier} leaves the package; import it by its name` };
  if (target.endsWith(".ts") && !context.files.has(target))
    return { rule: "missing", text: `${found.specifier} isn't a source file` };
  if (isTest(target) && !isTest(file) && !mayUseDev(context, file))
    return { rule: "testing", text: `${found.specifier} is for tests only` };
  const from = roomOf(table, file);
  const to = roomOf(table, target);
  if (from === to) return found.star && isDoor(file) ? starred(found) : undefined;
  return judgeRooms(context, { file, from, to, target, found });
}

interface Crossing {
  readonly file: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly target: string;
  readonly found: Import;
}

function judgeRooms({ table }: Context, { file, from, to, target, found }: Crossing): Finding {
  if (to === undefined)
    return file.startsWith(`${ENGINE}/`) && !isTest(file)
      ? { rule: "upward", text: `${found.specifier} is the engine's own door, above every room` }
      : undefined;
  if (from !== undefined && table.rooms[from]?.secondDoorOf === to) return undefined;
  const door = `${ENGINE}/${to}/index.ts`;
  const testing = `${ENGINE}/${to}/testing/index.ts`;
  if (target !== door && !(isTest(file) && target === testing))
    return { rule: "deep", text: `${found.specifier} goes past the door of ${to}` };
  if (isTest(file)) return undefined;
  if (from === undefined)
    return file === table.entry.file && table.entry.may.includes(to)
      ? undefined
      : { rule: "entry", text: `only ${table.entry.may.join(", ")} may be exported from the engine` };
  if (roomsAllowed(table, from).includes(to)) return found.star ? starred(found) : undefined;
  const up = (table.rooms[to]?.floor ?? 0) > (table.rooms[from]?.floor ?? 0);
  return { rule: up ? "upward" : "sideways", text: `${from} may not import ${to}` };
}

const isDoor = (file: string): boolean => path.posix.basename(file) === "index.ts";

const starred = ({ specifier }: Import): Finding => ({
  rule: "door",
  text: `export * from ${specifier}: a door lists its exports by name`,
});

function judgePackage({ table, manifests, files }: Context, file: string, found: Import): Finding {
  const name = packageNameOf(found.specifier);
  const from = packageOf(file);
  const to = manifests.folderOf(name);
  if (to === undefined) return { rule: "unlisted", text: `${name} isn't a package of this repository` };
  if (!manifests.exports(to, found.specifier.slice(name.length)))
    return { rule: "exports", text: `${found.specifier} isn't among the exports of ${name}` };
  const row = table.packages[from];
  const dev = isTest(file) || row?.program === true;
  if (from !== to && !manifests.declares(from, name, dev))
    return { rule: "undeclared", text: `${name} isn't in the package.json of ${from}` };
  const lazy = row?.lazily?.[to];
  if (lazy !== undefined && !isTest(file)) {
    if (file !== lazy) return { rule: "front-end", text: `only ${lazy} may reach ${name}` };
    return found.dynamic || found.typeOnly
      ? undefined
      : { rule: "front-end", text: `${name} must be loaded by import(), when it is needed` };
  }
  if (table.packages[to]?.testOnly === true)
    return dev ? undefined : { rule: "testing", text: `${name} is for tests only` };
  if (from === to) return { rule: "own-name", text: `import the file, not ${name}, from inside ${from}` };
  if (isTest(file) && row?.testUses?.includes(to) === true) return undefined;
  if (row?.uses.includes(to) === true || (lazy !== undefined && files.has(lazy))) return undefined;
  return { rule: "package", text: `${from} may not use ${to}` };
}

if (import.meta.main) process.exitCode = finish("imports", checkDeps(path.resolve(import.meta.dirname, "..")));
