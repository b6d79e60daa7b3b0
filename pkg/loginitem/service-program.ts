// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { LoginItemError } from "./login-item-error.js";

/** The service as a login item starts it. Login items have no shell and no `PATH`: every path is absolute. */
export interface ServiceProgram {
  readonly program: string;
  /** The Node.js that runs `program`, when it is a script. */
  readonly runtime?: string;
  readonly args?: readonly string[];
}

/** Where to look for the service. */
export interface ServiceProgramQuery {
  /** The running `blitz`, absolute, symbolic links resolved. */
  readonly realCli: string;
  /** The environment's `PATH`. */
  readonly path: string | undefined;
  /** Whether a program is at an absolute path. */
  readonly exists: (file: string) => boolean | Promise<boolean>;
  /** This system when left out. */
  readonly platform?: NodeJS.Platform;
}

/**
 * The path of `blitzd`: beside the real `blitz`, so both are of one version; else the first on `PATH`, where relative
 * and empty entries don't count; else undefined (SVC-50).
 */
export async function findServiceProgram(query: ServiceProgramQuery): Promise<string | undefined> {
  const isWindows = (query.platform ?? process.platform) === "win32";
  const { delimiter, dirname, isAbsolute, join } = isWindows ? path.win32 : path.posix;
  const onPath = (query.path ?? "").split(delimiter).filter((dir) => isAbsolute(dir));
  for (const dir of [dirname(query.realCli), ...onPath]) {
    const file = join(dir, isWindows ? "blitzd.exe" : "blitzd");
    if (await query.exists(file)) return file;
  }
  return undefined;
}

/**
 * The words of the command line.
 *
 * @throws LoginItemError `failed` when a path isn't absolute or a word has a control character, for which the texts
 *   of login items have no safe form
 */
export function commandOf(service: ServiceProgram, isAbsolute: (file: string) => boolean): readonly string[] {
  const programs = service.runtime === undefined ? [service.program] : [service.runtime, service.program];
  for (const file of programs)
    if (!isAbsolute(file)) throw new LoginItemError("failed", `"${file}" isn't an absolute path`);
  const words = [...programs, ...(service.args ?? [])];
  for (const word of words)
    if (/\p{Cc}/u.test(word))
      throw new LoginItemError("failed", `${JSON.stringify(word)} has a character no login item can hold`);
  return words;
}
