// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { describe, expect, it } from "vitest";
import { downloadAdvice } from "./bazel.ts";
import { checkDocs } from "./check-docs.ts";
import { checkGenerated, generatedAmong } from "./check-generated.ts";
import { checkHeaders, hasHeader } from "./check-headers.ts";
import { findsPlantedMistake, lint } from "./check-lint.ts";
import { plantTree } from "./fixture-tree.ts";
import { finish, reportLines } from "./report.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const SLASHES = "// SPDX-License-Identifier: Apache-2.0\n// Copyright 2026 The Blitz Authors\n";
const HASHES = SLASHES.replaceAll("//", "#");

describe("checkHeaders", () => {
  it.each([
    ["slashes", SLASHES, true],
    ["hashes", HASHES, true],
    ["hashes after #!", `#!/bin/sh\n${HASHES}`, true],
    ["slashes over a proto", `${SLASHES}\nsyntax = "proto3";\n`, true],
    ["one line alone", "// SPDX-License-Identifier: Apache-2.0\n", false],
    ["a header further down", `import "x";\n${SLASHES}`, false],
    ["nothing", "", false],
  ])("takes %s for what it is (RR-03)", (_name, text, expected) => {
    expect(hasHeader(text)).toBe(expected);
  });

  it("names the file without a header, and only kinds that carry one", () => {
    using tree = plantTree({ "a/x.ts": SLASHES, "a/BUILD.bazel": "x()", "a/x.json": "{}", "node_modules/y.ts": "" });
    expect(checkHeaders(tree.root)).toMatchObject({ files: 2, problems: [{ file: "a/BUILD.bazel", rule: "header" }] });
  });

  it("reads protos and the settings beside them, not what is generated from them", () => {
    using tree = plantTree({ "proto/a.proto": "", "proto/buf.yaml": HASHES, "proto/gen/a_pb.d.ts": "" });
    expect(checkHeaders(tree.root)).toMatchObject({ files: 2, problems: [{ file: "proto/a.proto" }] });
  });
});

describe("checkGenerated", () => {
  it.each([
    ["pkg/api/dist/index.js", true],
    ["pkg/proto/user_pb.ts", true],
    ["proto/gen/stamp", true],
    ["pkg/api/index.js", true],
    ["pkg/api/index.d.ts", true],
    ["node_modules/x/index.mjs", true],
    ["bazel-out", true],
    ["tools/bazel.ts", false],
    ["pkg/api/BUILD.bazel", false],
    ["build/bazel-setup.mjs", false],
    ["proto/generate.mjs", false],
  ])("judges %s (MR-12)", (file, made) => {
    expect(generatedAmong([file]).problems).toHaveLength(made ? 1 : 0);
  });

  it("reads no files, so fails, where git tracks nothing", () => {
    using tree = plantTree({ "x.ts": "" });
    expect(finish("generated", checkGenerated(tree.root))).toBe(1);
  });
});

describe("checkDocs", () => {
  const check = (text: string, file = "pkg/a/x.ts"): readonly string[] => {
    using tree = plantTree({ [file]: text });
    return checkDocs(tree.root).problems.map(({ text: found }) => found.split(" ")[0] ?? "");
  };
  it.each([
    ["an export without a comment", "export const a = 1;", ["a"]],
    ["a license header", `${SLASHES}\nexport const a = 1;`, ["a"]],
    ["a header as a doc comment's neighbour", "/** @internal */\nexport const a = 1;", ["a"]],
    ["a line comment", "// words here\nexport type A = 1;", ["A"]],
    ["an empty doc comment", "/** */\nexport interface A {}", ["A"]],
    ["a silent method", "/** A box. */\nexport class A { open() {} private shut() {} #x = 1; }", ["A.open"]],
    ["a documented export", "/** The answer. */\nexport const a = 1;", []],
    ["overloads", "/** Both. */\nexport function f(): void;\nexport function f(x?: number): void {}", []],
    ["a re-export", 'export { a } from "./a.js";', []],
    ["what isn't exported", "const a = 1;", []],
  ])("judges %s (RR-12)", (_name, text, expected) => {
    expect(check(text)).toEqual(expected);
  });
  it("leaves tests and their fakes alone (RR-12)", () => {
    expect(check("export const a = 1;", "pkg/a/x.test.ts")).toEqual([]);
    expect(check("export const a = 1;", "pkg/a/testing/x.ts")).toEqual([]);
  });
});

describe("checkLint", () => {
  it("reports a planted floating promise: the type-aware rules run (MR-16)", () => {
    expect(findsPlantedMistake(ROOT)).toBe(true);
  });
  it("says so when the linter gives no report", () => {
    expect(() => lint(ROOT, "no-such-tsconfig.json", ["tools/no-such-file.ts"])).toThrow(/no report/);
  });
});

describe("reportLines", () => {
  it("prints one line a problem, then how many files were read (MR-16)", () => {
    const problems = [{ file: "a.ts", line: 3, rule: "deep", text: "past the door" }];
    expect(reportLines("imports", { files: 2, problems })).toEqual([
      "a.ts:3: deep: past the door",
      "imports: 2 files, 1 problem",
    ]);
  });
  it("ends the summary with the check's note", () => {
    expect(reportLines("protos", { files: 3, problems: [], note: "nothing landed" })).toEqual([
      "protos: 3 files, no problems, nothing landed",
    ]);
  });
  it("fails a check that read nothing (MR-16)", () => {
    expect(finish("imports", { files: 0, problems: [] })).toBe(1);
    expect(finish("imports", { files: 1, problems: [] })).toBe(0);
  });
});

describe("downloadAdvice", () => {
  it("names the version wanted when Bazel can't be downloaded", () => {
    expect(downloadAdvice("could not download Bazel: dial tcp", "7.7.1")).toContain("Bazel 7.7.1");
  });
  it("stays silent about Bazel's own failures", () => {
    expect(downloadAdvice("ERROR: Build did NOT complete", "7.7.1")).toBeUndefined();
  });
});
