// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LoginItemDeps, ProgramResult } from "./contract.js";
import { LoginItemError } from "./login-item-error.js";

/** Runs a program of the system; one that isn't there is a system without login items. */
export async function run(
  { runProgram }: Pick<LoginItemDeps, "runProgram">,
  argv: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ProgramResult> {
  try {
    return await runProgram(argv, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw new LoginItemError("unsupported", `can't run ${argv[0] ?? ""}: ${String(error)}`, error);
  }
}

/** Runs a step that must work. */
export async function runStep(
  deps: Pick<LoginItemDeps, "runProgram">,
  argv: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const result = await run(deps, argv, signal);
  if (result.code !== 0) throw failedStep(argv, result);
}

/** The error of a step, with what its program said. */
export function failedStep(argv: readonly string[], { code, stdout, stderr }: ProgramResult): LoginItemError {
  const said = stderr.trim() || stdout.trim();
  return new LoginItemError("failed", `${argv.join(" ")} ended with ${code}${said === "" ? "" : `: ${said}`}`);
}
