// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Runs every test with vitest and closes with the plain line CI reads: `N passed, N failed`.
// Arguments go to vitest (a folder, `-t name`). Running no test is a failure.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundlePrograms, isStale } from "./build.ts";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly success: boolean;
}

/** Runs vitest on the pinned Node and returns its counts; `undefined` when it wrote no report. */
export function runTests(args: readonly string[]): { readonly status: number; readonly report: Report | undefined } {
  const root = path.resolve(import.meta.dirname, "..");
  const folder = mkdtempSync(path.join(tmpdir(), "blitz-tests-"));
  const file = path.join(folder, "report.json");
  try {
    const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
    const done = spawnSync(
      process.execPath,
      [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`, ...args],
      {
        cwd: root,
        stdio: "inherit",
      },
    );
    let report: Report | undefined;
    try {
      report = JSON.parse(readFileSync(file, "utf8")) as Report;
    } catch {
      report = undefined; // vitest failed before it could report; its own output says why
    }
    return { status: done.status ?? 1, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  if (isStale()) await bundlePrograms(); // whole runs are tested on the bundle
  const { status, report } = runTests(process.argv.slice(2));
  const passed = report?.numPassedTests ?? 0;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const failed = report?.numFailedTests ?? 0;
  const broken = report === undefined || passed + failed === 0 || (status !== 0 && failed === 0);
  if (broken) process.stderr.write("blitz: the test run itself failed\n");
  process.stdout.write(
    `${passed} passed, ${failed + (broken ? 1 : 0)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
  process.exitCode = status !== 0 || broken || failed > 0 ? 1 : 0;
}
