// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo } from "@blitz/api";
import type { Parsed } from "../command-line.js";
import { openFor, settings, warnElsewhere } from "../opening.js";
import { preloadEngine } from "../open-backend.js";
import { mayBeServed } from "../attach.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { refuseInteractive, runOptionsOf } from "../run-options.js";
import { openWords } from "../words.js";
import { createLineSurface } from "./line-surface.js";
import { runRepl } from "./repl.js";

/** Opens the workspace and a session in this terminal, or on a pipe with `-i`; the exit code (19, 20). */
export async function startRepl(line: Parsed, program: Program): Promise<number> {
  refuseInteractive(line);
  const options = runOptionsOf(line);
  if (options.local || !mayBeServed(program)) preloadEngine();
  const loaded = await settings(program, options);
  const messages = await openWords(program, loaded);
  for (const warning of loaded.warnings) program.stderr.write(`blitz: ${printable(warning)}\n`);
  const opening = { program, options, loaded, messages: async () => messages };
  const { backend, isAttached } = await openFor(opening);
  const surface = createLineSurface(program, messages, loaded.config.ui.diff_lines);
  const { resume, continueLatest, name } = options;
  try {
    const onOpened = (session: SessionInfo): Promise<void> => warnElsewhere(opening, session, backend.dir);
    const given = { line, resume, continueLatest, name, onOpened };
    return await runRepl({ backend, isAttached, surface, messages, program, ...given });
  } finally {
    surface.close();
    await backend.close();
  }
}
