// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, isReason, NO_USAGE } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { messageOf, type Program } from "../program.js";
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
}

/** Reads lines and runs them until the person leaves or the input ends; the exit code (19). */
export async function runRepl(deps: ReplDeps): Promise<number> {
  const { backend, surface, messages, program } = deps;
  const opened = await backend.openSession(deps.resume, deps.continueLatest);
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

async function banner({ backend, isAttached, surface, messages: { t }, program }: ReplDeps): Promise<void> {
  const [agent, { provider, name }, sandbox, error] = await Promise.all([
    backend.activeAgent(),
    backend.model(),
    backend.sandboxSummary(),
    backend.modelError(),
  ]);
  surface.say(t("repl.banner", { version: program.version, agent: agent.name, model: `${provider}/${name}` }));
  surface.say(t("repl.hint"), "dim");
  if (isAttached) surface.say(t("attach.done"), "dim");
  if (sandbox[0] !== undefined) surface.say(t("repl.sandbox", { summary: sandbox[0] }), "dim");
  if (error !== undefined) surface.say(`! ${name === "" ? t("provider.none") : error.message}`, "warn");
}

/** `<agent> ›`, with the permission mode when it isn't the default (TUI-02). */
async function promptOf({ backend }: ReplDeps): Promise<string> {
  const { agent, permissionMode } = await backend.settings();
  return `${agent}${permissionMode === "default" ? "" : ` [${permissionMode}]`} › `;
}

/** A failure ends the line it happened in, not the REPL. */
async function guarded({ surface, messages: { t, has }, program }: CommandContext, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (program.signal.aborted) return;
    const key = isReason(error) ? `error.${error.reason}` : "";
    const text = messageOf(error);
    surface.say(`✗ ${has(key) && isReason(error) ? t(key, { ...error.metadata, message: text }) : text}`, "bad");
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
      const code = await surface.lend(() => runUserShell(entry.command, { cwd: backend.dir, env: program.env }));
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
  const { backend, surface, messages, program } = deps;
  const session = (await backend.activeSession()) ?? (await backend.newSession());
  const cancel = new AbortController();
  const { printer } = surface;
  const started = performance.now();
  const end = async (exitCode: number): Promise<void> =>
    await printer.end({ exitCode, answer: "", durationMs: performance.now() - started, usage: NO_USAGE });
  let leftover: readonly string[] = [];
  {
    using _turn = surface.turn(() => cancel.abort(new DOMException("interrupted", "AbortError")));
    try {
      const result = await backend.run(session.id, turn, {
        signal: AbortSignal.any([program.signal, cancel.signal]),
        onEvent: (event) => printer.event(event),
      });
      await end(EXIT.ok);
      surface.say(usageLine(result, messages), "dim");
      ({ leftover } = result);
    } catch (error) {
      await end(EXIT.failed);
      if (!cancel.signal.aborted) throw error;
      surface.say(messages.t("repl.interrupted"), "warn");
    }
  }
  for (const text of leftover) await runTurn(deps, { text });
}
