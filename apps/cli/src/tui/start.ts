// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo } from "@blitz/api";
import type { Config } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
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
import type { Surface } from "./surface.js";

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
  const surface = await surfaceOf(program, messages, loaded.config.ui);
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

/** The live surface on a terminal that can show it, else the plain one (TUI-68, 69). */
async function surfaceOf(program: Program, messages: Messages, ui: Config["ui"]): Promise<Surface> {
  const term = program.env["TERM"] ?? "";
  if (program.stdin().isTTY !== true || !program.stdout.isTty || term === "" || term === "dumb")
    return createLineSurface(program, messages, ui.diff_lines);
  const { createLiveSurface } = await import("./live/live-surface.js");
  return createLiveSurface(program, messages, { diffLines: ui.diff_lines, markdown: ui.markdown });
}
