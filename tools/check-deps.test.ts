// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { checkDeps } from "./check-deps.ts";
import { plantTree } from "./fixture-tree.ts";

const TABLE = {
  packages: {
    "pkg/api": { uses: [], pure: true },
    "pkg/i18n": { uses: [] },
    "pkg/fakeprovider": { uses: [], testOnly: true },
    "pkg/engine": { uses: ["pkg/api"] },
    "apps/cli": { uses: ["pkg/api", "pkg/i18n"], lazily: { "pkg/engine": "apps/cli/src/open-backend.ts" } },
    "apps/desktop": { uses: ["pkg/api"] },
    tools: { uses: [], program: true },
  },
  rooms: {
    grant: { floor: 0, may: [] },
    "grant/mint": { floor: 0, may: ["grant"], secondDoorOf: "grant" },
    diff: { floor: 0, may: [] },
    files: { floor: 1, may: ["grant", "diff"] },
    agents: { floor: 2, may: ["files"] },
    services: { floor: 6, may: "floors 0–5" },
    workspace: { floor: 6, may: "all", effects: true },
  },
  engineUsers: [],
  entry: { file: "pkg/engine/index.ts", may: ["workspace"] },
};

const manifest = (name: string, rest: object = {}): string =>
  JSON.stringify({ name: `@blitz/${name}`, exports: { ".": "./index.js" }, ...rest });
const all = { "@blitz/api": "*", "@blitz/engine": "*", "@blitz/i18n": "*" };

const CLEAN: Readonly<Record<string, string>> = {
  "tools/deps.json": JSON.stringify(TABLE),
  "package.json": JSON.stringify({ name: "root", devDependencies: { vitest: "1" } }),
  "pkg/api/package.json": manifest("api"),
  "pkg/api/index.ts": "export const A = 1;",
  "pkg/i18n/package.json": manifest("i18n"),
  "pkg/i18n/index.ts": "export const I = 1;",
  "pkg/fakeprovider/package.json": manifest("fakeprovider"),
  "pkg/fakeprovider/index.ts": "export const F = 1;",
  "pkg/engine/package.json": manifest("engine", {
    dependencies: { "@blitz/api": "*" },
    devDependencies: { "@blitz/fakeprovider": "*" },
  }),
  "pkg/engine/index.ts": 'export { w } from "./workspace/index.js";',
  "pkg/engine/grant/index.ts": 'export { g } from "./grant.js";',
  "pkg/engine/grant/grant.ts": "export const g = 1;",
  "pkg/engine/grant/mint/index.ts": 'import { g } from "../grant.js"; export const m = g;',
  "pkg/engine/diff/index.ts": "export const d = 1;",
  "pkg/engine/files/index.ts": 'export { f } from "./open.js";',
  "pkg/engine/files/open.ts":
    'import "node:fs"; import { g } from "../grant/index.js"; import { A } from "@blitz/api"; export const f = g + A;',
  "pkg/engine/files/testing/index.ts": 'import { F } from "@blitz/fakeprovider"; export const fake = F;',
  "pkg/engine/files/open.test.ts":
    'import "vitest"; import "../agents/index.js"; import "../grant/mint/index.js"; import "./testing/index.js";',
  "pkg/engine/agents/index.ts": 'import { f } from "../files/index.js"; export const a = f;',
  "pkg/engine/agents/agents.test.ts": 'import "../files/testing/index.js"; import "@blitz/fakeprovider";',
  "pkg/engine/workspace/index.ts": 'import "../grant/mint/index.js"; import "../agents/index.js"; export const w = 1;',
  "apps/cli/package.json": manifest("cli", { dependencies: all }),
  "apps/cli/src/open-backend.ts": 'export const open = () => import("@blitz/engine");',
  "apps/cli/src/main.ts": 'import { A } from "@blitz/api"; export const m = A;',
  "apps/desktop/package.json": manifest("desktop", { dependencies: all }),
  "apps/desktop/main.ts": 'import { A } from "@blitz/api"; export const m = A;',
};

/** The rules broken when some files are added to the clean tree, with the file of each. */
function broken(files: Readonly<Record<string, string>>): readonly string[] {
  using tree = plantTree({ ...CLEAN, ...files });
  return checkDeps(tree.root).problems.map(({ file, rule }) => `${rule} ${file}`);
}

const AGENTS = "pkg/engine/agents/x.ts";
const FILES = "pkg/engine/files/x.ts";
const CLI = "apps/cli/src/x.ts";

describe("checkDeps", () => {
  it("finds nothing in a clean tree and says how many files it read (MR-02)", () => {
    using tree = plantTree(CLEAN);
    expect(checkDeps(tree.root)).toEqual({ files: 18, problems: [] });
  });

  it.each([
    ["an upward import", FILES, 'import "../agents/index.js";', "upward"],
    ["a sideways import", "pkg/engine/diff/x.ts", 'import "../grant/index.js";', "sideways"],
    ["a downward import that isn't listed", AGENTS, 'import "../grant/index.js";', "sideways"],
    ["a dynamic import", FILES, 'export const x = () => import("../agents/index.js");', "upward"],
    ["a type-only import", FILES, 'import type { a } from "../agents/index.js";', "upward"],
    ["an import of a type alone", FILES, 'import { type a } from "../agents/index.js";', "upward"],
    ["an import() type", FILES, 'export type X = import("../agents/index.js").Y;', "upward"],
    ["a re-export", FILES, 'export { a } from "../agents/index.js";', "upward"],
    ["a computed import", AGENTS, "export const x = (p: string) => import(p);", "computed"],
    ["a deep import", AGENTS, 'import "../files/open.js";', "deep"],
    ["a deep import from a test", "pkg/engine/agents/x.test.ts", 'import "../files/open.js";', "deep"],
    ["fakes outside tests", AGENTS, 'import "../files/testing/index.js";', "testing"],
    ["the second door of grant", AGENTS, 'import "../grant/mint/index.js";', "sideways"],
    ["the second door by floor", "pkg/engine/services/index.ts", 'import "../grant/mint/index.js";', "sideways"],
    ["the engine's own door", AGENTS, 'import "../index.js";', "upward"],
    ["a missing file", AGENTS, 'import "./gone.js";', "missing"],
    ["a door that exports everything", "pkg/engine/files/sub/index.ts", 'export * from "../open.js";', "door"],
    ["a package by path", AGENTS, 'import "../../api/index.js";', "package"],
    ["past a package's exports", CLI, 'import "@blitz/api/errors";', "exports"],
    ["an unknown package", CLI, 'import "@blitz/nowhere";', "unlisted"],
    ["the fake provider outside tests", AGENTS, 'import "@blitz/fakeprovider";', "undeclared"],
    ["a package that isn't declared", AGENTS, 'import "left-pad";', "undeclared"],
    ["a development dependency in sources", AGENTS, 'import "vitest";', "undeclared"],
    ["a front end importing the engine", CLI, 'import "@blitz/engine";', "front-end"],
    ["a front end importing it dynamically", CLI, 'export const x = import("@blitz/engine");', "front-end"],
    ["a front end importing its types", CLI, 'import type { w } from "@blitz/engine";', "front-end"],
    ["a shared package importing the engine", "pkg/i18n/x.ts", 'import "@blitz/engine";', "undeclared"],
    ["another front end importing the engine", "apps/desktop/x.ts", 'import "@blitz/engine";', "package"],
    ["an app importing another", "apps/desktop/x.ts", 'import "../cli/src/main.js";', "package"],
    ["a fact that reads files", "pkg/engine/diff/x.ts", 'import "node:fs";', "pure"],
    ["a fact that reads the clock", "pkg/engine/diff/x.ts", "export const x = () => Date.now();", "pure"],
    ["a fact that makes a date", "pkg/engine/diff/x.ts", "export const x = () => new Date();", "pure"],
    ["a fact that throws dice", "pkg/engine/diff/x.ts", "export const x = () => Math.random();", "pure"],
    ["a contract that reads the process", "pkg/api/x.ts", "export const x = () => process.pid;", "pure"],
    ["files above floor 1", AGENTS, 'import "node:fs/promises";', "effect"],
    ["network above floor 1", AGENTS, 'export const x = () => fetch("http://x");', "effect"],
  ])("reports %s (MR-02)", (_name, file, text, rule) => {
    const found = broken({ "pkg/engine/services/index.ts": "export {};", [file]: text });
    expect(found).toEqual([`${rule} ${file}`]);
  });

  it("reports loading the engine at start-up even in the file that may reach it (MR-02)", () => {
    expect(broken({ "apps/cli/src/open-backend.ts": 'import "@blitz/engine";' })).toEqual([
      "front-end apps/cli/src/open-backend.ts",
    ]);
  });

  it("lets a name that only looks like a global be (MR-02)", () => {
    const text = "export const x = (fetch: () => number) => fetch() + { process: 1 }.process;";
    expect(broken({ "pkg/engine/diff/x.ts": text })).toEqual([]);
  });

  it("reports what the engine exports beyond its entry's table (MR-02)", () => {
    expect(broken({ "pkg/engine/index.ts": 'export { a } from "./agents/index.js";' })).toEqual([
      "entry pkg/engine/index.ts",
    ]);
  });

  it("reports a room and a package without a row, and a room without a door (MR-03)", () => {
    expect(broken({ "pkg/engine/attic/x.ts": "export {};" })).toEqual(["unlisted pkg/engine/attic"]);
    expect(broken({ "pkg/shed/package.json": manifest("shed") })).toEqual(["unlisted pkg/shed"]);
    expect(broken({ "pkg/engine/services/x.ts": "export {};" })).toEqual(["door pkg/engine/services"]);
  });

  it("reports a circle of files, types included (MR-02)", () => {
    const found = broken({
      "pkg/engine/files/p.ts": 'import type { Q } from "./q.js"; export interface P { q: Q }',
      "pkg/engine/files/q.ts": 'import type { P } from "./p.js"; export interface Q { p: P }',
    });
    expect(found).toEqual(["cycle pkg/engine/files/p.ts"]);
  });

  it.each([
    ["upwards", { grant: { floor: 0, may: ["files"] } }],
    ["to nothing", { grant: { floor: 0, may: ["attic"] } }],
    ["in a circle", { diff: { floor: 0, may: ["grant"] }, grant: { floor: 0, may: ["diff"] } }],
  ])("reports a table that points %s", (_name, rooms) => {
    const table = JSON.stringify({ ...TABLE, rooms: { ...TABLE.rooms, ...rooms } });
    expect(broken({ "tools/deps.json": table })).toContain("table tools/deps.json");
  });

  it("reports a table that lets a front end reach the engine through another package (MR-01)", () => {
    const table = { ...TABLE, packages: { ...TABLE.packages, "pkg/i18n": { uses: ["pkg/engine"] } } };
    using tree = plantTree({ ...CLEAN, "tools/deps.json": JSON.stringify(table) });
    expect(checkDeps(tree.root).problems.map(({ text }) => text)).toEqual([
      "pkg/i18n reaches the engine",
      "apps/cli reaches the engine",
    ]);
  });

  it("takes a package's test folder for tests (MR-02)", () => {
    expect(broken({ "pkg/engine/test/whole.ts": 'import "@blitz/fakeprovider"; import "../files/index.js";' })).toEqual(
      [],
    );
  });
});
