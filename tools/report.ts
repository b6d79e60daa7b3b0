// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// What a check found, and printing it: one line a problem, then how many files were read.

/** One problem, where it is. */
export interface Problem {
  readonly file: string;
  /** Counted from 1; 0 when the whole file or folder is meant. */
  readonly line: number;
  /** The rule's short name. */
  readonly rule: string;
  readonly text: string;
}

/** The outcome of one check. */
export interface Report {
  readonly files: number;
  readonly problems: readonly Problem[];
  /** What else the summary says, e.g. what was compared with. */
  readonly note?: string;
}

/** The lines a report prints; a check that read nothing has failed. */
export function reportLines(name: string, report: Report): readonly string[] {
  const lines = report.problems.map(
    ({ file, line, rule, text }) => `${file}${line > 0 ? `:${line}` : ""}: ${rule}: ${text}`,
  );
  if (report.files === 0) lines.push(`${name}: read no files`);
  const count = report.problems.length;
  const summary = `${name}: ${report.files} files, ${count === 0 ? "no" : count} problem${count === 1 ? "" : "s"}`;
  return [...lines, report.note === undefined ? summary : `${summary}, ${report.note}`];
}

/** Prints a report and gives the exit code: 0 only when files were read and nothing was found. */
export function finish(name: string, report: Report): number {
  process.stdout.write(`${reportLines(name, report).join("\n")}\n`);
  return report.files > 0 && report.problems.length === 0 ? 0 : 1;
}
