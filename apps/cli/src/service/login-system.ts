// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { createLoginItem, type LoginItem, type ProgramResult } from "@blitz/loginitem";
import type { Program } from "../program.js";

/** This user's login item, worked through the system's own programs. */
export function systemLoginItem({ home, env }: Program): LoginItem {
  return createLoginItem({
    platform: process.platform,
    home,
    uid: process.getuid?.() ?? 0,
    runProgram: (argv, signal) => runProgram(argv, env, signal),
    pause: async (ms, signal) => await pause(ms, undefined, signal === undefined ? {} : { signal }),
  });
}

/** Runs a program to its end, without a shell and without input. Rejects when it can't be started. */
async function runProgram(
  [file = "", ...args]: readonly string[],
  env: Program["env"],
  signal: AbortSignal | undefined,
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = Promise.withResolvers<number>();
  child.once("error", ended.reject);
  child.once("close", (code) => ended.resolve(code ?? 1));
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended.promise]);
  return { code, stdout, stderr };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
