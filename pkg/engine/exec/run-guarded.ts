// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { createOutputCapture } from "./output-capture.js";

/** A program to run under the guard. */
export interface GuardedProgram {
  readonly argv: readonly string[];
  /** An existing directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

/** How a command ended (SH-04). */
export interface CommandResult {
  /** Standard output and error as they came. */
  readonly output: string;
  /** 128 + signal when killed by one; −1 after a time limit or a cancellation; 1 when it didn't start. */
  readonly exitCode: number;
  readonly durationMs: number;
  readonly truncated: boolean;
  /** Why it isn't simply its exit code. */
  readonly error?: string;
}

/**
 * Runs first in every child's group (SH-31): a reader that kills the group when descriptor 3 closes,
 * because this process ended or closed it; then the program itself, without the descriptor.
 */
const GUARD =
  '{ while read -r -u 3 _; do :; done; kill -KILL 0; } </dev/null >/dev/null 2>&1 & exec 3<&- 2>&1; exec "$@"';

/** Time for descendants to let go of the output once the group was killed (SH-05). */
const PIPE_WAIT_MS = 2_000;

/**
 * Runs a program in a group of its own and settles when it has ended and its group is gone. Never
 * rejects: what can go wrong is in the result. An abort kills the group.
 */
export async function runGuarded(program: GuardedProgram, signal: AbortSignal): Promise<CommandResult> {
  const start = performance.now();
  const capture = createOutputCapture(program.maxOutputBytes);
  const result = (exitCode: number, error?: string): CommandResult => ({
    output: capture.text(),
    exitCode,
    durationMs: Math.round(performance.now() - start),
    truncated: capture.isTruncated(),
    ...(error === undefined ? {} : { error }),
  });
  if (signal.aborted) return result(-1, "command cancelled");
  const child = startChild(program);
  if (typeof child === "string") return result(1, child);
  child.stdout?.on("data", (chunk: Uint8Array) => capture.add(chunk));

  let ended: "timeout" | "cancelled" | undefined;
  const end = (why: "timeout" | "cancelled"): void => {
    ended ??= why;
    killGroup(child);
  };
  const timer = setTimeout(() => end("timeout"), program.timeoutMs);
  const onAbort = (): void => end("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  const exit = await exitOf(child);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  await clearStragglers(child);

  if (typeof exit === "string") return result(1, exit);
  if (ended === "timeout") return result(-1, `command timed out after ${program.timeoutMs / 1_000} s`);
  if (ended === "cancelled") return result(-1, "command cancelled");
  return result(exit.signal === null ? (exit.code ?? 1) : 128 + constants.signals[exit.signal]);
}

function startChild({ argv, cwd, env }: GuardedProgram): ChildProcess | string {
  try {
    return spawn("bash", ["-c", GUARD, "blitz-guard", ...argv], {
      cwd,
      env,
      detached: true,
      // Standard error joins standard output in the guard, so their order is kept.
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
  } catch (error) {
    return `the command could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit | string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      resolve(
        isMissing
          ? "bash was not found, or the directory is gone; commands need bash"
          : `the command could not be started: ${error.message}`,
      );
    });
  });
}

/** Kills what the command left behind and waits, for a moment only, until nobody holds its output. */
async function clearStragglers(child: ChildProcess): Promise<void> {
  killGroup(child);
  const { stdout } = child;
  if (stdout !== null && !stdout.closed) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => stdout.destroy(), PIPE_WAIT_MS);
      stdout.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  child.stdio[3]?.destroy();
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}
