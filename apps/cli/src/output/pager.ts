// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Program } from "../program.js";

/** A shell's codes for a command it can't run or can't find. */
const NOT_STARTED: readonly unknown[] = [126, 127];

/**
 * Shows a long text: a page at a time on a terminal, with `$PAGER` as a shell would run it, else `less`;
 * written as it is where there is no terminal, no pager, or one that doesn't start.
 *
 * @throws the signal's reason when the program is told to end while the pager is open
 */
export async function showPaged(
  text: string,
  program: Pick<Program, "stdout" | "env" | "signal" | "takeInterrupts" | "isPlain">,
): Promise<void> {
  const { stdout, env, isPlain } = program;
  if (!stdout.isTty || isPlain || env["TERM"] === "dumb" || !(await page(text, program))) stdout.write(text);
}

/** Runs the pager until it is left; false when it didn't start. */
async function page(text: string, { env, signal, takeInterrupts }: Parameters<typeof showPaged>[1]): Promise<boolean> {
  const chosen = env["PAGER"] ?? "";
  const [file, args, shell] = chosen.trim() === "" ? (["less", ["-R"], false] as const) : ([chosen, [], true] as const);
  // Ctrl+C is the pager's while it has the terminal.
  using _interrupts = takeInterrupts(() => undefined);
  const child = spawn(file, args, { env, shell, signal, stdio: ["pipe", "inherit", "inherit"] });
  child.stdin.on("error", () => undefined); // left before the end of the text
  child.stdin.end(text);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return !NOT_STARTED.includes(code);
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
