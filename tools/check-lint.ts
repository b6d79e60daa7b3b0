// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// oxlint with its type-aware rules. A broken tsconfig makes it drop those rules in silence, so a
// planted mistake must be found before a clean run counts (28 MR-16).

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { finish, type Problem, type Report } from "./report.ts";

const FOLDERS: readonly string[] = ["pkg", "apps", "proto", "tools", "build", "bench"];

interface Diagnostic {
  readonly code?: string;
  readonly message: string;
  readonly severity: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

interface Output {
  readonly diagnostics: readonly Diagnostic[];
  readonly number_of_files: number;
}

/** Lints paths with the rules and the linter of `root`, typed by a tsconfig; warnings are left out. */
export function lint(root: string, tsconfig: string, paths: readonly string[]): Report {
  const oxlint = path.join(root, "node_modules", "oxlint", "bin", "oxlint");
  const config = path.join(root, ".oxlintrc.json");
  const done = spawnSync(
    process.execPath,
    [oxlint, "--config", config, "--type-aware", "--tsconfig", tsconfig, "--format", "json", ...paths],
    { cwd: root, encoding: "utf8", maxBuffer: 256 << 20 },
  );
  let output: Output;
  try {
    output = JSON.parse(done.stdout) as Output;
  } catch {
    throw new Error(`oxlint gave no report: ${done.stdout.slice(0, 500)}${done.stderr.slice(0, 500)}`);
  }
  const problems: Problem[] = output.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ filename, labels, code, message }) => ({
      file: filename,
      line: labels[0]?.span.line ?? 0,
      rule: code ?? "lint",
      text: message,
    }));
  return { files: output.number_of_files, problems };
}

/** Whether a promise nobody waits for, planted in a scratch folder, is reported. */
export function findsPlantedMistake(root: string): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "blitz-lint-"));
  try {
    const tsconfig = {
      compilerOptions: { rootDir: ".", strict: true, target: "ES2024", module: "NodeNext", types: [] },
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ ...tsconfig, include: ["*.ts"] }));
    writeFileSync(
      path.join(folder, "planted.ts"),
      "async function work(): Promise<void> {}\nexport function start(): void {\n  work();\n}\n",
    );
    const { problems } = lint(root, path.join(folder, "tsconfig.json"), [folder]);
    return problems.some(({ rule, line }) => rule.includes("no-floating-promises") && line === 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lints the whole project. */
export function checkLint(root: string): Report {
  if (!findsPlantedMistake(root))
    return {
      files: 1,
      problems: [{ file: ".oxlintrc.json", line: 0, rule: "self-test", text: "a planted floating promise is missed" }],
    };
  return lint(
    root,
    "tsconfig.json",
    FOLDERS.filter((folder) => existsSync(path.join(root, folder))),
  );
}

if (import.meta.main) process.exitCode = finish("lint", checkLint(path.resolve(import.meta.dirname, "..")));
