// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkLint, lint } from "./check-lint.ts";
import { plantTree } from "./fixture-tree.ts";

const ROOT: string = path.resolve(import.meta.dirname, "..");
const TSCONFIG: string = JSON.stringify({
  compilerOptions: { rootDir: ".", strict: true, target: "ES2024", module: "NodeNext", types: [] },
  include: ["*.ts"],
});

describe("lint", () => {
  it.each([
    ["no-explicit-any", "export const a: any = 1;\n"],
    ["no-non-null-assertion", "export const a = (b: string | undefined): string => b!;\n"],
    ["only-throw-error", 'export function a(): never {\n  throw "text";\n}\n'],
    ["no-misused-promises", "export const a = (b: number[]): void => b.forEach(async (c) => void (await c));\n"],
    [
      "switch-exhaustiveness-check",
      'export function a(b: "x" | "y"): number {\n  switch (b) {\n    case "x":\n      return 1;\n    default:\n      return 2;\n  }\n}\n',
    ],
    [
      "return-await",
      "export async function a(b: Promise<number>): Promise<number> {\n  try {\n    return b;\n  } catch {\n    return 0;\n  }\n}\n",
    ],
    ["consistent-type-imports", 'import { B } from "./b.js";\nexport type A = B;\n'],
    ["no-default-export", "export default 1;\n"],
    ["no-console", "export const a = (): void => console.log(1);\n"],
  ])("reports %s (style.md, Checks)", (rule, text) => {
    using tree = plantTree({
      "tsconfig.json": TSCONFIG,
      "planted.ts": text,
      "b.ts": "export interface B {\n  readonly c: number;\n}\n",
    });
    const { problems } = lint(ROOT, path.join(tree.root, "tsconfig.json"), [tree.root]);
    expect(problems.map((problem) => problem.rule).join(" ")).toContain(rule);
  });

  it("refuses to call a run clean when the planted mistake is missed (MR-16)", () => {
    using tree = plantTree({ "pkg/a.ts": "export const a: number = 1;\n", "tsconfig.json": TSCONFIG });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(tree.root, "node_modules"));
    writeFileSync(path.join(tree.root, ".oxlintrc.json"), JSON.stringify({ plugins: ["typescript"], rules: {} }));
    expect(checkLint(tree.root).problems).toMatchObject([{ rule: "self-test" }]);
  });
});
