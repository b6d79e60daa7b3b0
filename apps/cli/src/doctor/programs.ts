// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import { type Check, failure, type Finding, good, warning } from "./finding.js";

/** Programs Blitz starts: bash it needs, git it can do without. */
export const PROGRAM_CHECKS: readonly Check[] = [
  {
    name: "bash",
    run: async ({ program: { env } }) =>
      await found(env["PATH"], "bash", failure("not on PATH: install bash, commands run in it")),
  },
  {
    name: "git",
    run: async ({ program: { env } }) =>
      await found(env["PATH"], "git", warning("not on PATH: install git to show and keep changes")),
  },
];

async function found(searchPath: string | undefined, name: string, missing: Finding): Promise<Finding> {
  for (const dir of (searchPath ?? "").split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const file = path.join(dir, process.platform === "win32" ? `${name}.exe` : name);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return good(file);
    } catch {
      // Not in this folder: the next one is looked at.
    }
  }
  return missing;
}
