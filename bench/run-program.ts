// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A finished process: when it was started and had ended, by `performance.now()`, and what it used when that was asked for. */
export interface Ended {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly code: number;
  readonly cpuMs: number;
  readonly maxRssMb: number;
}

/** Runs a program to its end with its output thrown away. `usage` preloads a report, which costs a little time. */
export async function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  usage = false,
): Promise<Ended> {
  const preload = usage ? ["--import", path.resolve("bench", "report-usage.mjs")] : [];
  const startedAt = performance.now();
  const child = spawn(command, [...preload, ...args], { env, stdio: ["ignore", "ignore", "inherit", "pipe"] });
  let report = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    report += chunk.toString("utf8");
  });
  const [code] = (await once(child, "exit")) as [number | null];
  const endedAt = performance.now();
  if (usage && report === "") await once(child, "close");
  const used = usage ? (JSON.parse(report) as { cpuMs: number; maxRssMb: number }) : { cpuMs: 0, maxRssMb: 0 };
  return { startedAt, endedAt, code: code ?? 1, ...used };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
