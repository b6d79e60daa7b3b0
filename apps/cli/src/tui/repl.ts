// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  ApiError,
  type Backend,
  isReason,
  NO_USAGE,
  type PermissionMode,
  type SessionInfo,
  type Turn,
} from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { errorText } from "../error-text.js";
import { untilLeft } from "../leaving.js";
import type { Program } from "../program.js";
import { createComplete } from "./complete.js";
import { readEntry } from "./entry.js";
import type { Language } from "./language.js";
import { readBlock } from "./read-block.js";
import { sayResumed } from "./session-commands.js";
import { type CommandContext, SlashUsage } from "./slash-command.js";
import { nearestCommand, SLASH_COMMANDS, slashCommandOf } from "./slash-commands.js";
import type { Prompt, Surface } from "./surface.js";
import { usageLine } from "./usage-line.js";

/** What a REPL runs on; the caller closes both. */
export interface ReplDeps {
  readonly backend: Backend;
  readonly isAttached: boolean;
  readonly surface: Surface;
  /** The `messages` are its words. */
  readonly language: Language;
  readonly messages: Messages;
  readonly program: Program;
  readonly line: Parsed;
  /** The session to begin in, as the command line names it. */
  readonly resume: string;
  readonly continueLatest: boolean;
  readonly name: string | undefined;
  /** `ui.terminal_title`. */
  readonly hasTitle: boolean;
  /** Whether a file is never offered: its path from the workspace (CLI-41). */
  readonly isBlocked: (file: string) => boolean;
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
  const sandbox = saySandbox(deps);
  if (!surface.ownsTerminal) await sandbox;
  if (opened.resumed) sayResumed(deps, opened.session);
  let hasLeft = false;
  const context: CommandContext = {
    backend,
    surface,
    messages,
    language: deps.language,
    program,
    runTurn: (turn) => runTurn(deps, turn),
    leave: () => {
      hasLeft = true;
    },
  };
  surface.completeWith(createComplete({ commands: SLASH_COMMANDS, context, isBlocked: deps.isBlocked }));
  const first = deps.line.text("prompt") ?? deps.line.words.join(" ");
  if (first.trim() !== "") await guarded(context, () => context.runTurn({ text: first.trim() }));
  while (!hasLeft && !program.signal.aborted) {
    await showTitle(deps);
    const typed = await readBlock(surface, await promptOf(deps), { cycleMode: () => cycleMode(deps) });
    if (typed === undefined) break;
    await guarded(context, () => enter(context, typed));
  }
  await sandbox;
  const session = await backend.activeSession();
  if (session !== undefined && session.messageCount > 0) surface.say(`blitz --resume=${session.id}`, "dim");
  return program.signal.aborted ? EXIT.interrupted : EXIT.ok;
}

/** The window is called as the session is (TUI-06). */
async function showTitle({ backend, surface, hasTitle }: ReplDeps): Promise<void> {
  if (!hasTitle) return;
  const session = await backend.activeSession();
  surface.title(session === undefined || session.title === "" ? "Blitz" : `Blitz · ${session.title}`);
}

async function banner({ backend, surface, messages, program }: ReplDeps): Promise<void> {
  const { t } = messages;
  const [agent, { provider, name }, error] = await Promise.all([
    backend.activeAgent(),
    backend.model(),
    backend.modelError(),
  ]);
  const model = name === "" ? t("repl.no_model") : `${provider}/${name}`;
  surface.say(t("repl.banner", { version: program.version, agent: agent.name, model }));
  surface.say(t("repl.hint"), "dim");
  if (error !== undefined) surface.say(`! ${errorText(error, messages)}`, "warn");
}

/** What holds commands (TUI-01). It is tried out first, which a prompt needn't wait for. */
async function saySandbox({ backend, surface, messages }: ReplDeps): Promise<void> {
  try {
    const [summary] = await backend.sandboxSummary();
    if (summary !== undefined) surface.say(messages.t("repl.sandbox", { summary }), "dim");
  } catch (error) {
    surface.say(`! ${errorText(error, messages)}`, "warn");
  }
}

/** The agent, with the permission mode when it isn't the default (TUI-02). */
async function promptOf({ backend }: Pick<ReplDeps, "backend">): Promise<Prompt> {
  const { agent, permissionMode } = await backend.settings();
  if (permissionMode === "default") return { text: agent };
  return { text: agent, note: { text: permissionMode, tone: permissionMode === "bypass" ? "bad" : "warn" } };
}

/** Shift+Tab's modes, in order (TUI-13). */
const CYCLE: readonly PermissionMode[] = ["default", "accept-edits", "auto", "plan"];

/** The next mode of the cycle that can be entered. */
async function cycleMode({ backend }: Pick<ReplDeps, "backend">): Promise<Prompt> {
  const { permissionMode } = await backend.settings();
  const at = CYCLE.indexOf(permissionMode);
  for (const mode of [...CYCLE.slice(at + 1), ...CYCLE.slice(0, at + 1)]) {
    try {
      await backend.setPermissionMode(mode);
      break;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // a mode that can't be entered here is passed over
    }
  }
  return await promptOf({ backend });
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
async function runTurn(deps: ReplDeps, turn: Turn): Promise<void> {
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
  for (const text of leftover) await runTurn(deps, { text, accepted: true });
  for (const text of late) await runTurn(deps, { text });
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
