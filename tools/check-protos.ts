// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The protos, judged by buf with proto/buf.yaml: names and comments, format, and changes that break code
// written against what has landed (41 PRT-02, SVC-40). `--write` formats them.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { declaredBreak, landedCommit, writeProtosOf } from "./landed-protos.ts";
import { finish, type Problem, type Report } from "./report.ts";

const BUF: string = path.resolve(import.meta.dirname, "..", "proto", "buf.mjs");
/** The code buf exits with when it found something, and not because it couldn't work. */
const FOUND = 100;

interface Run {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

/** A line of `--error-format json`. */
interface Annotation {
  /** Left out when the file is gone. */
  readonly path?: string;
  readonly start_line?: number;
  readonly type: string;
  readonly message: string;
}

function buf(root: string, args: readonly string[]): Run {
  const done = spawnSync(process.execPath, [BUF, ...args], { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  return { status: done.status ?? 1, out: done.stdout, errors: done.stderr.trim() };
}

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

const wholeFolder = (rule: string, text: string): Problem => ({ file: "proto", line: 0, rule, text });

/** What a run found; a run that couldn't work is a problem too. */
function findings(rule: string, run: Run): readonly Problem[] {
  if (run.status === 0) return [];
  if (run.status !== FOUND) return [wholeFolder(rule, run.errors || `buf ended with ${run.status}`)];
  return linesOf(run.out).map((line) => {
    const { path: file, start_line: at, type, message } = JSON.parse(line) as Annotation;
    return file === undefined ? wholeFolder(type, message) : { file, line: at ?? 0, rule: type, text: message };
  });
}

function unformatted(root: string): readonly Problem[] {
  const run = buf(root, ["format", "proto", "--diff", "--exit-code"]);
  if (run.status !== FOUND) return findings("format", run);
  return [...run.out.matchAll(/^diff -u .*\.orig (.*)$/gm)].map(([, file = ""]) => ({
    file,
    line: 0,
    rule: "format",
    text: "not in buf's format; npm run format",
  }));
}

/** What the working tree breaks of what has landed, and what to say of the comparison. */
function broken(root: string): { readonly problems: readonly Problem[]; readonly note: string } {
  const landed = landedCommit(root);
  if (landed === undefined) return { problems: [], note: "nothing landed to compare with" };
  const note = `compared with ${landed.slice(0, 8)}`;
  const scratch = mkdtempSync(path.join(tmpdir(), "blitz-landed-"));
  try {
    const against = path.join(scratch, "proto");
    writeProtosOf(root, landed, against);
    const found = findings(
      "breaking",
      buf(root, ["breaking", "proto", "--against", against, "--error-format", "json"]),
    );
    const why = found.length > 0 ? declaredBreak(root, landed) : undefined;
    const breaks = found.length === 1 ? "1 break" : `${found.length} breaks`;
    if (why !== undefined) return { problems: [], note: `${note}, ${breaks} declared: ${why}` };
    const advice = 'a break that is meant is declared by a line "Breaking-API: <why>" in the commit message';
    return { problems: found.map((problem) => ({ ...problem, text: `${problem.text} (${advice})` })), note };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Checks the protos of a root as they are in the working tree, committed or not. */
export function checkProtos(root: string): Report {
  const listed = buf(root, ["ls-files", "proto"]);
  const files = linesOf(listed.out).length;
  if (files === 0) return { files, problems: [wholeFolder("files", listed.errors)] };
  if (!existsSync(path.join(root, "proto", "buf.yaml")))
    return { files, problems: [wholeFolder("settings", "without buf.yaml buf would judge by rules of its own")] };
  const lint = findings("lint", buf(root, ["lint", "proto", "--error-format", "json"]));
  // What doesn't parse has no format and breaks everything: its own line is enough.
  if (lint.some(({ rule }) => rule === "COMPILE")) return { files, problems: lint };
  const { problems, note } = broken(root);
  return { files, problems: [...lint, ...unformatted(root), ...problems], note };
}

/** Rewrites the protos of a root in buf's format; gives the exit code. */
export function formatProtos(root: string): number {
  const run = buf(root, ["format", "proto", "--write"]);
  process.stderr.write(run.errors);
  return run.status;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, "..");
  process.exitCode = process.argv.includes("--write") ? formatProtos(root) : finish("protos", checkProtos(root));
}
