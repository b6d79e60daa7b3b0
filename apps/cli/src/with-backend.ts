// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import { EN_US, loadMessages, type Messages } from "@blitz/i18n";
import { openLocal } from "./open-backend.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";

/** Opens this workspace for a short command, says its warnings, and closes it whatever happens. */
export async function withBackend(
  program: Program,
  work: (backend: Backend, messages: Messages) => Promise<number>,
): Promise<number> {
  const { config } = await loadConfig({
    dir: program.configDir,
    workspace: program.dir,
    home: program.home,
    env: program.env,
  });
  const warn = (message: string): void => program.stderr.write(`blitz: ${printable(message)}\n`);
  const backend = await openLocal({ dir: program.dir, home: program.home, config, env: program.env, warn });
  try {
    return await work(backend, await loadMessages("en-US", [EN_US]));
  } finally {
    await backend.close();
  }
}
