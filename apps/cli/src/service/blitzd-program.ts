// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { findServiceProgram, type ServiceProgram } from "@blitz/loginitem";

/** Where the program that runs is. */
export interface RunningProgram {
  /** The script that runs, or the program itself, as it was called. */
  readonly script: string;
  /** The Node.js that runs it. */
  readonly runtime: string;
  /** The environment's `PATH`. */
  readonly path: string | undefined;
}

/**
 * The service as a login item starts it: `blitzd` beside the real `blitz`, in a checkout beside
 * `bin/blitz`, else the script bundled with this one, else the first on `PATH` (SVC-50).
 */
export async function findLoginProgram(running: RunningProgram): Promise<ServiceProgram | undefined> {
  const script = await realpath(running.script);
  const starter = path.resolve(path.dirname(script), "..", "..", "bin", "blitz");
  const realCli = (await isFile(starter)) ? starter : script;
  const beside = await findServiceProgram({ realCli, path: undefined, exists: isFile });
  if (beside !== undefined) return { program: beside };
  return await bundledOrOnPath(script, running);
}

/** The service to run from here: the script bundled with this one, `blitzd` beside it, or the first on `PATH`. */
export async function findOwnProgram(running: RunningProgram): Promise<ServiceProgram | undefined> {
  return await bundledOrOnPath(await realpath(running.script), running);
}

async function bundledOrOnPath(script: string, { runtime, path: search }: RunningProgram) {
  const bundled = path.resolve(path.dirname(script), "..", "service", "blitzd.mjs");
  if (await isFile(bundled)) return { program: bundled, runtime };
  const program = await findServiceProgram({ realCli: script, path: search, exists: isFile });
  return program === undefined ? undefined : { program };
}

async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (info) => info.isFile(),
    () => false,
  );
}
