// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { LoginItemError } from "./login-item-error.js";
import { commandOf, type ServiceProgram } from "./service-program.js";

/** Windows ignores longer ones. */
const LONGEST: number = 260;

/**
 * The command line under the registry's `Run` key. The console host runs it without a window (WIN-05); every word is
 * quoted, so a path with spaces can't be taken for another program.
 *
 * @throws LoginItemError `failed` when it is longer than Windows takes
 */
export function windowsRunValue(service: ServiceProgram): string {
  const words = commandOf(service, path.win32.isAbsolute);
  const line = `conhost.exe --headless ${words.map(quote).join(" ")}`;
  if (line.length > LONGEST)
    throw new LoginItemError("failed", `Windows takes ${LONGEST} characters, and this has ${line.length}: ${line}`);
  return line;
}

/** Backslashes count only before a quote, where each needs another. */
function quote(word: string): string {
  return `"${word.replace(/(\\*)("|$)/g, (_all, slashes: string, end: string) => `${slashes}${slashes}${end === "" ? "" : '\\"'}`)}"`;
}
