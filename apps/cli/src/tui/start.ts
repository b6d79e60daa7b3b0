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
import { createBlocked } from "./complete.js";
import type { History } from "./history.js";
import { openLanguage } from "./language.js";
import { createLineSurface } from "./line-surface.js";
import { runRepl } from "./repl.js";
import type { Surface } from "./surface.js";

/**
 * Opens the workspace and a session in this terminal, or on a pipe with `-i`; the exit code (19, 20). On a
 * terminal the line is there, and keeps what is typed, before the workspace is.
 */
export async function startRepl(line: Parsed, given: Program): Promise<number> {
  refuseInteractive(line);
  const options = runOptionsOf(line);
  let warn = (text: string): void => given.stderr.write(text);
  const program: Program = { ...given, stderr: { ...given.stderr, write: (text) => warn(text) } };
  const live = isPlain(program) ? undefined : loadLive();
  const loaded = await settings(program, options);
  const { config } = loaded;
  const language = await openLanguage(program, loaded);
  const { messages } = language;
  for (const warning of loaded.warnings) program.stderr.write(`blitz: ${printable(warning)}\n`);
  const surface =
    live === undefined
      ? createLineSurface(program, messages, config.ui.diff_lines)
      : await (await live)(program, messages, config.ui, config.blitz.default_agent);
  if (surface.ownsTerminal) warn = (text) => surface.say(text, "warn");
  try {
    if (options.local || !mayBeServed(program)) preloadEngine();
    const opening = { program, options, loaded, messages: async () => messages };
    const { backend, isAttached } = await openFor(opening);
    await using opened = new AsyncDisposableStack();
    opened.defer(async () => await backend.close());
    const { resume, continueLatest, name } = options;
    const onOpened = (session: SessionInfo): Promise<void> => warnElsewhere(opening, session, backend.dir);
    const isBlocked = createBlocked(config.sandbox.blocked_paths);
    const begin = { line, resume, continueLatest, name, onOpened, isBlocked, hasTitle: config.ui.terminal_title };
    const code = await runRepl({ backend, isAttached, surface, language, messages, program, ...begin });
    surface.close(); // the terminal is the person's while the workspace closes
    return code;
  } finally {
    surface.close();
  }
}

/** Makes a live surface, whose modules and history are there by then. */
type OpenLive = (program: Program, messages: Messages, ui: Config["ui"], agent: string) => Promise<Surface>;

async function loadLive(): Promise<OpenLive> {
  const [{ createLiveSurface }, { openHistory }] = await Promise.all([
    import("./live/live-surface.js"),
    import("./history.js"),
  ]);
  return async (program, messages, ui, agent) => {
    const history = await openHistory(ui.history_file, ui.history_size).catch((error: Error): History => {
      program.stderr.write(`blitz: ${printable(error.message)}\n`);
      return { entries: [], add: async () => undefined };
    });
    return createLiveSurface(program, messages, {
      prompt: { text: agent },
      diffLines: ui.diff_lines,
      markdown: ui.markdown,
      spinner: ui.spinner,
      notify: ui.notify,
      notifyAfterMs: ui.notify_after * 1000,
      history,
    });
  };
}

/** Whether text has to go from top to bottom: asked for, or the terminal can't do more. */
function isPlain(program: Program): boolean {
  const { env, isPlain: isAsked, stdout } = program;
  const term = env["TERM"] ?? "";
  return isAsked || program.stdin().isTTY !== true || !stdout.isTty || term === "" || term === "dumb";
}
