// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Every check of the sources, cheapest first: one line each, and what it found when it failed.
// `--write` rewrites the files in the project's format instead.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { checkDeps } from "./check-deps.ts";
import { checkDocs } from "./check-docs.ts";
import { checkGenerated } from "./check-generated.ts";
import { checkHeaders } from "./check-headers.ts";
import { checkLint } from "./check-lint.ts";
import { checkMessages } from "./check-messages.ts";
import { checkProtos, formatProtos } from "./check-protos.ts";
import { type Report, reportLines } from "./report.ts";
import { buildFiles, staleFiles } from "./tidy.ts";

const ROOT: string = path.resolve(import.meta.dirname, "..");

interface Outcome {
  readonly passed: boolean;
  readonly lines: readonly string[];
}

/** The outcome of running a program of node_modules; `count` finds how many files it read. */
function runProgram(args: readonly string[], count: RegExp): Outcome {
  const [script = "", ...rest] = args;
  const done = spawnSync(process.execPath, [path.join(ROOT, "node_modules", script), ...rest], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 256 << 20,
  });
  const text = `${done.stdout ?? ""}${done.stderr ?? ""}`;
  const files = Number(count.exec(text)?.[1] ?? 0);
  const lines = text.trim().split("\n");
  const unformatted = lines.filter((line) => line.includes(" format ━")).map((line) => line.split(" format ")[0] ?? "");
  if (unformatted.length > 0)
    return { passed: false, lines: [...unformatted, `${unformatted.length} to format: npm run format`] };
  if (done.status === 0 && files > 0) return { passed: true, lines: [`${files} files`] };
  return { passed: false, lines: files > 0 ? lines : [...lines, "it read no files"] };
}

function fromReport(name: string, report: Report): Outcome {
  const passed = report.files > 0 && report.problems.length === 0;
  const summary = `${report.files} files${report.note === undefined ? "" : `, ${report.note}`}`;
  return { passed, lines: passed ? [summary] : reportLines(name, report) };
}

function checkBuildFiles(): Report {
  const files = buildFiles(ROOT);
  const text = "out of step with the imports; node tools/bootstrap.mjs run tools/tidy.ts";
  return {
    files: files.size,
    problems: staleFiles(ROOT, files).map((file) => ({ file, line: 0, rule: "tidy", text })),
  };
}

const BIOME = "@biomejs/biome/bin/biome";

const CHECKS: Readonly<Record<string, () => Outcome>> = {
  headers: () => fromReport("headers", checkHeaders(ROOT)),
  generated: () => fromReport("generated", checkGenerated(ROOT)),
  protos: () => fromReport("protos", checkProtos(ROOT)),
  imports: () => fromReport("imports", checkDeps(ROOT)),
  "build files": () => fromReport("build files", checkBuildFiles()),
  docs: () => fromReport("docs", checkDocs(ROOT)),
  messages: () => fromReport("messages", checkMessages(ROOT)),
  format: () => runProgram([BIOME, "format", "."], /Checked (\d+) files?/),
  lint: () => fromReport("lint", checkLint(ROOT)),
  types: () => runProgram(["typescript/bin/tsc", "-p", ".", "--diagnostics"], /^Files:\s+(\d+)/m),
};

function runChecks(): number {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    const { passed, lines } = check();
    if (!passed) failed += 1;
    const text = passed ? `✓ ${name} (${lines.join(" ")})` : `✗ ${name}\n${lines.map((l) => `    ${l}`).join("\n")}`;
    process.stdout.write(`${text}\n`);
  }
  const total = Object.keys(CHECKS).length;
  process.stdout.write(`checks: ${total - failed} of ${total} passed\n`);
  return failed === 0 ? 0 : 1;
}

/** Rewrites every file that has a format. */
function formatAll(): number {
  const biome = spawnSync(process.execPath, [path.join(ROOT, "node_modules", BIOME), "format", "--write", "."], {
    cwd: ROOT,
    stdio: "inherit",
  });
  const protos = formatProtos(ROOT);
  return biome.status === 0 ? protos : 1;
}

if (import.meta.main) process.exitCode = process.argv.includes("--write") ? formatAll() : runChecks();
