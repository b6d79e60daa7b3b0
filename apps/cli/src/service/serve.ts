// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { EXIT } from "../exit-code.js";
import { messageOf } from "../program.js";
import { findOwnProgram, type RunningProgram } from "./blitzd-program.js";

/** Signals that end a service. At a terminal the first two reach it without help. */
const FROM_TERMINAL = ["SIGINT", "SIGHUP"] as const;

/** `blitz serve …`: runs the service's program with the same arguments; its exit code (SVC-00). */
export async function runServe(argv: readonly string[], running: RunningProgram): Promise<number> {
  const say = (text: string): void => void process.stderr.write(`blitz: ${text}\n`);
  try {
    const service = await findOwnProgram(running);
    if (service !== undefined) {
      const [file, ...before] = service.runtime === undefined ? [service.program] : [service.runtime, service.program];
      return await runHere(file ?? "", [...before, ...argv]);
    }
    say("the service's program isn't there: no blitzd beside this program, nor on PATH");
  } catch (error) {
    say(messageOf(error));
  }
  return EXIT.failed;
}

async function runHere(file: string, args: readonly string[]): Promise<number> {
  const child = spawn(file, args, { stdio: "inherit" });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A key pressed at the terminal goes to both already, and a second one would end the service at once.
  const keep = (): void => undefined;
  for (const name of FROM_TERMINAL) process.on(name, isatty(0) ? keep : pass);
  process.on("SIGTERM", pass);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
