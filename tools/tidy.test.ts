// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sortLabels } from "./build-file.ts";
import { type FixtureTree, plantTree } from "./fixture-tree.ts";
import { listFiles } from "./sources.ts";
import { buildFiles, staleFiles } from "./tidy.ts";

const tree = (): FixtureTree =>
  plantTree({
    "tools/deps.json": JSON.stringify({
      packages: { "pkg/api": { uses: [] }, "pkg/engine": { uses: ["pkg/api"] } },
      rooms: {
        grant: { floor: 0, may: [] },
        files: { floor: 1, may: ["grant"], testTags: ["no-sandbox"] },
        agents: { floor: 2, may: ["files"] },
        later: { floor: 2, may: ["grant"] },
      },
      engineUsers: [],
      entry: { file: "pkg/engine/index.ts", may: ["agents"] },
      packageTests: { "pkg/api": { tags: ["manual"], data: ["//docs"], size: "large" } },
    }),
    "package.json": JSON.stringify({ name: "root", devDependencies: { vitest: "1" } }),
    "pkg/api/package.json": JSON.stringify({ name: "@blitz/api" }),
    "pkg/api/index.ts": "",
    "pkg/api/api.test.ts": 'import "vitest";',
    "pkg/engine/package.json": JSON.stringify({
      name: "@blitz/engine",
      dependencies: { "@blitz/api": "*", glob: "1" },
      devDependencies: { "@types/glob": "1" },
    }),
    "pkg/engine/index.ts": 'export { a } from "./agents/index.js";',
    "pkg/engine/grant/index.ts": "",
    "pkg/engine/files/index.ts":
      'import "../grant/index.js"; import "node:fs"; import "glob/sub"; import "@blitz/api";',
    "pkg/engine/files/testing/index.ts": 'import "../index.js";',
    "pkg/engine/files/files.test.ts": 'import "vitest"; import "./testing/index.js";',
    "pkg/engine/agents/index.ts": 'import "../files/index.js";',
    "pkg/engine/agents/agents.test.ts":
      'import "vitest"; import "../files/testing/index.js"; import "../grant/index.js";',
  });

describe("buildFiles", () => {
  it("writes a file for each package and room that exists", () => {
    using at = tree();
    expect([...buildFiles(at.root).keys()]).toEqual([
      "pkg/api/BUILD.bazel",
      "pkg/engine/BUILD.bazel",
      "pkg/engine/grant/BUILD.bazel",
      "pkg/engine/files/BUILD.bazel",
      "pkg/engine/agents/BUILD.bazel",
    ]);
  });

  it("takes deps from the imports and visibility from the table", () => {
    using at = tree();
    const text = buildFiles(at.root).get("pkg/engine/files/BUILD.bazel") ?? "";
    expect(text.slice(text.indexOf("room(\n"))).toMatchInlineSnapshot(`
      "room(
          name = "files",
          package_json = "//pkg/engine:package_json",
          test_deps = ["//:node_modules/vitest"],
          test_tags = ["no-sandbox"],
          visibility = ["//pkg/engine/agents:__pkg__"],
          deps = [
              "//pkg/engine:node_modules/@blitz/api",
              "//pkg/engine:node_modules/@types/glob",
              "//pkg/engine:node_modules/glob",
              "//pkg/engine/grant",
          ],
      )
      "
    `);
  });

  it("lets in rooms whose tests come in, and gives them the fakes", () => {
    using at = tree();
    const files = buildFiles(at.root);
    expect(files.get("pkg/engine/grant/BUILD.bazel")).toContain("//pkg/engine/agents:__pkg__");
    expect(files.get("pkg/engine/agents/BUILD.bazel")).toContain("//pkg/engine/files:files_testing");
  });

  it("lets only the packages that declare a package link it (MR-02)", () => {
    using at = tree();
    const text = buildFiles(at.root).get("pkg/api/BUILD.bazel") ?? "";
    expect(text).toContain("//pkg/engine:__pkg__");
    expect(text).not.toContain("visibility:public");
  });

  it("gives a package something to link before it has sources", () => {
    using at = tree();
    rmSync(path.join(at.root, "pkg/api/index.ts"));
    rmSync(path.join(at.root, "pkg/api/api.test.ts"));
    const text = buildFiles(at.root).get("pkg/api/BUILD.bazel") ?? "";
    expect(text).toContain(
      'srcs = [":package_json"],\n    visibility = [\n        "//:__pkg__",\n        "//pkg/engine:__pkg__"',
    );
    expect(text).not.toContain("room(");
  });

  it("packs the protos for the packages that declare them, which depend on what is generated (MR-12)", () => {
    using at = tree();
    mkdirSync(path.join(at.root, "proto"));
    writeFileSync(path.join(at.root, "proto/package.json"), JSON.stringify({ name: "@blitz/proto" }));
    const manifest = { name: "@blitz/api", dependencies: { "@blitz/proto": "*" } };
    writeFileSync(path.join(at.root, "pkg/api/package.json"), JSON.stringify(manifest));
    writeFileSync(path.join(at.root, "pkg/api/index.ts"), 'import "@blitz/proto/turn";');
    const files = buildFiles(at.root);
    const text = files.get("proto/BUILD.bazel") ?? "";
    expect(text.slice(text.indexOf("es_proto(\n"))).toMatchInlineSnapshot(`
      "es_proto(
          name = "pkg",
          visibility = [
              "//:__pkg__",
              "//pkg/api:__pkg__",
          ],
      )
      "
    `);
    expect(files.get("pkg/api/BUILD.bazel")).toContain('deps = [":node_modules/@blitz/proto"]');
  });

  it("gives a package's tests the tags, files and time the table names", () => {
    using at = tree();
    const text = buildFiles(at.root).get("pkg/api/BUILD.bazel") ?? "";
    expect(text).toContain('test_data = ["//docs"]');
    expect(text).toContain('test_size = "large"');
    expect(text).toContain('test_tags = ["manual"]');
  });

  it("finds a file that is missing or out of step", () => {
    using at = tree();
    const files = buildFiles(at.root);
    expect(staleFiles(at.root, files)).toEqual([...files.keys()]);
    for (const [file, text] of files) writeFileSync(path.join(at.root, file), text);
    expect(staleFiles(at.root, files)).toEqual([]);
    writeFileSync(path.join(at.root, "pkg/api/BUILD.bazel"), "# by hand\n");
    expect(staleFiles(at.root, files)).toEqual(["pkg/api/BUILD.bazel"]);
  });
});

describe("the repository", () => {
  it("has every source of a package in a Bazel target, so both builds see the same files (MR-17)", () => {
    const root = path.resolve(import.meta.dirname, "..");
    const folders = new Set([...buildFiles(root).keys()].map((file) => path.posix.dirname(file)));
    const homeless = listFiles(root, ["pkg", "apps"], [".ts"]).filter((file) => {
      for (let dir = path.posix.dirname(file); dir !== "."; dir = path.posix.dirname(dir))
        if (folders.has(dir)) return false;
      return true;
    });
    expect(homeless).toEqual([]);
    expect(folders.size).toBeGreaterThan(0);
  });

  it("keeps every node_modules of the workspace from Bazel (MR-10)", () => {
    const root = path.resolve(import.meta.dirname, "..");
    const ignored = readFileSync(path.join(root, ".bazelignore"), "utf8").split("\n");
    const packages = [...buildFiles(root).keys()].map((file) => path.posix.dirname(file));
    const linked = packages.filter((dir) => existsSync(path.join(root, dir, "package.json")));
    expect(ignored).toEqual(expect.arrayContaining(linked.map((dir) => `${dir}/node_modules`)));
  });
});

describe("sortLabels", () => {
  it("puts labels in buildifier's order, each once", () => {
    expect(sortLabels(["@x//y", "//b/a", "//b:z", ":own", "//b/a", "//a"])).toEqual([
      ":own",
      "//a",
      "//b:z",
      "//b/a",
      "@x//y",
    ]);
  });
});
