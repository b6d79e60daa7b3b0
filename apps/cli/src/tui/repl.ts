// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, isReason, NO_USAGE, type SessionInfo } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { errorText } from "../error-text.js";
import { untilLeft } from "../leaving.js";
import type { Program } from "../program.js";
import { readEntry } from "./entry.js";
import { readBlock } from "./read-block.js";
import { sayResumed } from "./session-commands.js";
import { type CommandContext, SlashUsage } from "./slash-command.js";
import { nearestCommand, slashCommandOf } from "./slash-commands.js";
import type { Surface } from "./surface.js";
import { usageLine } from "./usage-line.js";

/** What a REPL runs on; the caller closes both. */
export interface ReplDeps {
  readonly backend: Backend;
  readonly isAttached: boolean;
  readonly surface: Surface;
  readonly messages: Messages;
  readonly program: Program;
  readonly line: Parsed;
  /** The session to begin in, as the command line names it. */
  readonly resume: string;
  readonly continueLatest: boolean;
  readonly name: string | undefined;
  /** Told of the session it begins in. */
  readonly onOpened: (session: SessionInfo) => Promise<void>;
}

/** Reads lines and runs them until the person leaves or the input ends; the exit code (19). */
export async function runRepl(deps: ReplDeps): Promise<number> {
  const { backend, surface, messages, program } = deps;
  const opened = await backend.openSession(deps.resume, deps.continueLatest);
  await deps.onOpened(opened.session);
  if (deps.name !== undefined) await backend.renameSession(deps.name);
  backend.setUi(surface.ui);
  await banner(deps);
  if (opened.resumed) sayResumed(deps, opened.session);
  let hasLeft = false;
  const context: CommandContext = {
    backend,
    surface,
    messages,
    program,
    runTurn: (turn) => runTurn(deps, turn),
    leave: () => {
      hasLeft = true;
    },
  };
  const first = deps.line.text("prompt") ?? deps.line.words.join(" ");
  if (first.trim() !== "") await guarded(context, () => context.runTurn({ text: first.trim() }));
  while (!hasLeft && !program.signal.aborted) {
    const typed = await readBlock(surface, await promptOf(deps));
    if (typed === undefined) break;
    await guarded(context, () => enter(context, typed));
  }
  const session = await backend.activeSession();
  if (session !== undefined && session.messageCount > 0) surface.say(`blitz --resume=${session.id}`, "dim");
  return program.signal.aborted ? EXIT.interrupted : EXIT.ok;
}

async function banner({ backend, surface, messages, program }: ReplDeps): Promise<void> {
  const { t } = messages;
  const [agent, { provider, name }, sandbox, error] = await Promise.all([
    backend.activeAgent(),
    backend.model(),
    backend.sandboxSummary(),
    backend.modelError(),
  ]);
  surface.say(t("repl.banner", { version: program.version, agent: agent.name, model: `${provider}/${name}` }));
  surface.say(t("repl.hint"), "dim");
  if (sandbox[0] !== undefined) surface.say(t("repl.sandbox", { summary: sandbox[0] }), "dim");
  if (error !== undefined) surface.say(`! ${errorText(error, messages)}`, "warn");
}

/** `<agent> ›`, with the permission mode when it isn't the default (TUI-02). */
async function promptOf({ backend }: ReplDeps): Promise<string> {
  const { agent, permissionMode } = await backend.settings();
  return `${agent}${permissionMode === "default" ? "" : ` [${permissionMode}]`} › `;
}

/** A failure ends the line it happened in, not the REPL. */
async function guarded({ surface, messages, program }: CommandContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (program.signal.aborted) return;
    surface.say(`✗ ${errorText(error, messages)}`, "bad");
  }
}

async function enter(context: CommandContext, typed: string): Promise<void> {
  const { backend, surface, messages, program } = context;
  const entry = readEntry(typed);
  switch (entry.kind) {
    case "empty":
      return;
    case "shell": {
      const { runUserShell } = await import("./user-shell.js");
      const code = await surface.lend((stdin) =>
        runUserShell(entry.command, { cwd: backend.dir, env: program.env, stdin }),
      );
      if (code !== 0) surface.say(messages.t("repl.shell_code", { code }), "warn");
      return;
    }
    case "prompt":
      return await context.runTurn({ text: entry.text });
    case "command":
      return await runCommand(context, entry.name, entry.args);
    default:
      return entry satisfies never;
  }
}

/** An unknown command is told, never sent to the agent (TUI-22). */
async function runCommand(context: CommandContext, name: string, args: string): Promise<void> {
  const { surface, messages } = context;
  const command = slashCommandOf(name);
  if (command === undefined) {
    const near = nearestCommand(name);
    const text = near === undefined ? messages.t("repl.unknown", { name }) : messages.t("repl.near", { name, near });
    surface.say(`✗ ${text}`, "bad");
    return;
  }
  try {
    await command.run(context, args);
  } catch (error) {
    if (!(error instanceof SlashUsage)) throw error;
    surface.say(messages.t("repl.usage_of", { usage: `/${command.name} ${command.args}`.trimEnd() }), "warn");
  }
}

/** One turn in the active session; Ctrl+C ends it alone (TUI-31), what steered too late runs next (TUI-33). */
async function runTurn(deps: ReplDeps, turn: Parameters<CommandContext["runTurn"]>[0]): Promise<void> {
  const { backend, isAttached, surface, messages, program } = deps;
  const session = (await backend.activeSession()) ?? (await backend.newSession());
  const cancel = new AbortController();
  const { printer } = surface;
  const started = performance.now();
  const end = async (exitCode: number): Promise<void> =>
    await printer.end({ exitCode, answer: "", durationMs: performance.now() - started, usage: NO_USAGE });
  let leftover: readonly string[] = [];
  const steering: Promise<void>[] = [];
  const late: string[] = [];
  {
    using _turn = surface.turn({
      cancel: () => cancel.abort(new DOMException("interrupted", "AbortError")),
      steer: (text) => void steering.push(steer(deps, session.id, text, late)),
    });
    try {
      const running = backend.run(session.id, turn, {
        // Attached, a signal to this program only leaves: the turn is the service's (TUI-67).
        signal: isAttached ? cancel.signal : AbortSignal.any([program.signal, cancel.signal]),
        onEvent: (event) => printer.event(event),
      });
      const result = await (isAttached ? untilLeft(running, program.signal) : running);
      await end(EXIT.ok);
      surface.say(usageLine(result, messages), "dim");
      ({ leftover } = result);
      await Promise.all(steering);
    } catch (error) {
      await end(EXIT.failed);
      if (!cancel.signal.aborted) throw error;
      surface.say(messages.t("repl.interrupted"), "warn");
    }
  }
  for (const text of [...leftover, ...late]) await runTurn(deps, { text });
}

/** Hands a message to the turn; one that comes too late runs after it (TUI-32, 33). */
async function steer(
  { backend, surface, messages }: ReplDeps,
  sessionId: string,
  text: string,
  late: string[],
): Promise<void> {
  try {
    await backend.steer(sessionId, text);
  } catch (error) {
    if (isReason(error, "STEER_TOO_LATE")) late.push(text);
    else surface.say(`✗ ${errorText(error, messages)}`, "bad");
  }
}
