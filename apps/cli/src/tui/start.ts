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
import { createBlocked } from "./complete.js";
import type { History } from "./history.js";
import { createLineSurface } from "./line-surface.js";
import { runRepl } from "./repl.js";
import type { Surface } from "./surface.js";

/** Opens the workspace and a session in this terminal, or on a pipe with `-i`; the exit code (19, 20). */
export async function startRepl(line: Parsed, given: Program): Promise<number> {
  refuseInteractive(line);
  const options = runOptionsOf(line);
  if (options.local || !mayBeServed(given)) preloadEngine();
  let warn = (text: string): void => given.stderr.write(text);
  const program: Program = { ...given, stderr: { ...given.stderr, write: (text) => warn(text) } };
  const loaded = await settings(program, options);
  const messages = await openWords(program, loaded);
  for (const warning of loaded.warnings) program.stderr.write(`blitz: ${printable(warning)}\n`);
  const opening = { program, options, loaded, messages: async () => messages };
  const { backend, isAttached } = await openFor(opening);
  const surface = await surfaceOf(program, messages, loaded.config.ui);
  if (surface.ownsTerminal) warn = (text) => surface.say(text, "warn");
  const { resume, continueLatest, name } = options;
  try {
    const onOpened = (session: SessionInfo): Promise<void> => warnElsewhere(opening, session, backend.dir);
    const isBlocked = createBlocked(loaded.config.sandbox.blocked_paths);
    const hasTitle = loaded.config.ui.terminal_title;
    const begin = { line, resume, continueLatest, name, onOpened, isBlocked, hasTitle };
    return await runRepl({ backend, isAttached, surface, messages, program, ...begin });
  } finally {
    surface.close();
    warn = (text) => given.stderr.write(text);
    await backend.close();
  }
}

/** The live surface on a terminal that can show it, else the plain one (TUI-68, 69). */
async function surfaceOf(program: Program, messages: Messages, ui: Config["ui"]): Promise<Surface> {
  if (isPlain(program)) return createLineSurface(program, messages, ui.diff_lines);
  const [{ createLiveSurface }, { openHistory }] = await Promise.all([
    import("./live/live-surface.js"),
    import("./history.js"),
  ]);
  const history = await openHistory(ui.history_file, ui.history_size).catch((error: Error): History => {
    program.stderr.write(`blitz: ${printable(error.message)}\n`);
    return { entries: [], add: async () => undefined };
  });
  return createLiveSurface(program, messages, {
    diffLines: ui.diff_lines,
    markdown: ui.markdown,
    spinner: ui.spinner,
    notify: ui.notify,
    notifyAfterMs: ui.notify_after * 1000,
    history,
  });
}

/** Whether text has to go from top to bottom: asked for, or the terminal can't do more. */
function isPlain(program: Program): boolean {
  const { env, isPlain: isAsked, stdout } = program;
  const term = env["TERM"] ?? "";
  return isAsked || program.stdin().isTTY !== true || !stdout.isTty || term === "" || term === "dumb";
}
