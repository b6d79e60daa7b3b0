// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";

/** Where a user's command runs. */
export interface UserShell {
  /** The workspace. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: "inherit" | "ignore";
}

/**
 * Runs `!cmd`: the user's own, with the terminal and the whole environment, no sandbox and no policy
 * (TUI-20). Resolves with the exit code, 128 + the signal's number when one ended it.
 */
export async function runUserShell(command: string, { cwd, env, stdin }: UserShell): Promise<number> {
  const args = [process.platform === "win32" ? "/c" : "-c", command];
  const child = spawn(shellOf(), args, { cwd, env, stdio: [stdin, "inherit", "inherit"] });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (code !== null) return code;
  const { constants } = await import("node:os");
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

function shellOf(): string {
  if (process.platform === "win32") return "cmd";
  return ["/bin/bash", "/usr/bin/bash"].find((file) => existsSync(file)) ?? "/bin/sh";
}
