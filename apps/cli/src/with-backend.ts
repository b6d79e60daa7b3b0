// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import { attachWhenServed } from "./attach.js";
import { openLocal } from "./open-backend.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { openWords } from "./words.js";

/**
 * Opens this workspace for a short command, in the service when one answers and `local` doesn't say
 * otherwise, says its warnings, and closes it whatever happens.
 */
export async function withBackend(
  program: Program,
  local: boolean,
  work: (backend: Backend, messages: Messages) => Promise<number>,
): Promise<number> {
  const served = local ? undefined : await attachWhenServed(program);
  if (served !== undefined) return await work(served, await openWords(program));
  const loaded = await loadConfig({
    dir: program.configDir,
    workspace: program.dir,
    home: program.home,
    env: program.env,
  });
  const warn = (message: string): void => program.stderr.write(`blitz: ${printable(message)}\n`);
  const backend = await openLocal({
    dir: program.dir,
    home: program.home,
    config: loaded.config,
    env: program.env,
    warn,
  });
  try {
    return await work(backend, await openWords(program, loaded));
  } finally {
    await backend.close();
  }
}
