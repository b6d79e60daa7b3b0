// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo } from "@blitz/api";
import { sessionRow } from "../sessions.js";
import { undoLatest } from "../undo.js";
import { type CommandContext, fixed, type SlashCommand, SlashUsage } from "./slash-command.js";
import type { Completion } from "./surface.js";

/** How many messages a resumed session recalls (CLI-18), and how much of each. */
const RECAP: number = 3;
const RECAP_LENGTH: number = 200;

async function list({ backend, surface, messages }: CommandContext, all: boolean): Promise<void> {
  const sessions = await backend.listSessions(all);
  if (sessions.length === 0) surface.say(messages.t("sessions.none"), "dim");
  for (const one of sessions) surface.say(`${sessionRow(one, messages)}${all ? `  ${one.workspace}` : ""}`);
}

/** Says which session goes on, and its last messages (CLI-18). */
export function sayResumed(
  { surface, messages }: Pick<CommandContext, "surface" | "messages">,
  session: SessionInfo,
): void {
  surface.say(messages.t("repl.resumed", { session: sessionRow(session, messages) }), "good");
  for (const { role, text } of (session.messages ?? []).filter(({ role: one }) => one !== "tool").slice(-RECAP)) {
    const points = [...text.replaceAll(/\s+/g, " ").trim()];
    const cut = points.length > RECAP_LENGTH ? `${points.slice(0, RECAP_LENGTH).join("")}…` : points.join("");
    surface.say(`${role === "user" ? "›" : " "} ${cut}`, "dim");
  }
}

async function load(context: CommandContext, ref: string): Promise<void> {
  const { session } = await context.backend.openSession(ref, false);
  sayResumed(context, session);
}

const session: SlashCommand = {
  name: "session",
  complete: async (context) => {
    const loads = (await sessionIds(context)).map((one) => ({ ...one, text: `load ${one.text}` }));
    return [...["list", "list --all", "new"].map((text) => ({ text })), ...loads];
  },
  args: "list [--all] | new | load <id> | delete <id>",
  run: async (context, args) => {
    const [action = "", ref = "", ...more] = args.split(/\s+/);
    if (more.length > 0) throw new SlashUsage();
    if (action === "list" && (ref === "" || ref === "--all")) return await list(context, ref === "--all");
    if (action === "load" && ref !== "") return await load(context, ref);
    if (action === "new" && ref === "") {
      const { id } = await context.backend.newSession();
      context.surface.say(context.messages.t("repl.session_new", { session: id }), "good");
      return;
    }
    if (action !== "delete" || ref === "") throw new SlashUsage();
    await context.backend.deleteSession(ref);
    context.surface.say(context.messages.t("repl.session_deleted", { session: ref }), "good");
  },
};

/** Sessions with messages, as many as anyone looks through (TUI-16). */
const MOST_PICKED: number = 50;

async function pickSession({ backend, surface, messages }: CommandContext): Promise<string | undefined> {
  const sessions = (await backend.listSessions(false)).filter(({ messageCount }) => messageCount > 0);
  if (sessions.length === 0) {
    surface.say(messages.t("sessions.none"), "dim");
    return undefined;
  }
  const choices = sessions.slice(0, MOST_PICKED).map(({ id, title, updated }) => ({
    key: id,
    label: title === "" ? messages.t("sessions.untitled") : title,
    detail: `${updated.toISOString().slice(0, 16).replace("T", " ")}  ${id}`,
  }));
  return await surface.pick(messages.t("repl.pick_session"), choices, (await backend.activeSession())?.id);
}

/** The newest sessions' IDs (CLI-41). */
async function sessionIds({ backend }: Pick<CommandContext, "backend">): Promise<readonly Completion[]> {
  const newest = (await backend.listSessions(false)).slice(0, 20);
  return newest.map(({ id, title }) => ({ text: id, detail: title }));
}

const resume: SlashCommand = {
  name: "resume",
  args: "[id]",
  complete: sessionIds,
  run: async (context, given) => {
    const ref = given === "" ? await pickSession(context) : given;
    if (ref !== undefined) await load(context, ref);
  },
};

const rename: SlashCommand = {
  name: "rename",
  args: "<title>",
  run: async ({ backend, surface, messages }, title) => {
    if (title === "") throw new SlashUsage();
    await backend.renameSession(title);
    surface.say(messages.t("repl.renamed", { title }), "good");
  },
};

const undo: SlashCommand = {
  name: "undo",
  args: "[--force]",
  complete: fixed("--force"),
  run: async ({ backend, surface, messages }, args) => {
    if (args !== "" && args !== "--force") throw new SlashUsage();
    const { done, failed } = await undoLatest(backend, args === "--force", messages);
    if (done !== undefined) surface.say(done, "good");
    if (failed !== undefined) surface.say(failed, "warn");
  },
};

const checkpoints: SlashCommand = {
  name: "checkpoints",
  args: "",
  run: async ({ backend, surface, messages }) => {
    const kept = await backend.listCheckpoints();
    if (kept.length === 0) surface.say(messages.t("undo.nothing"), "dim");
    for (const { id, time, label, files } of kept)
      surface.say(`#${id}  ${time.toISOString().slice(0, 16)}  ${label.replaceAll("\n", " ")}  ${files.join(" ")}`);
  },
};

const diff: SlashCommand = {
  name: "diff",
  args: "[git]",
  complete: fixed("git"),
  run: async ({ backend, surface, messages, program }, args) => {
    if (args !== "" && args !== "git") throw new SlashUsage();
    if (args === "git") {
      const { runUserShell } = await import("./user-shell.js");
      const code = await surface.lend((stdin) =>
        runUserShell("git diff", { cwd: backend.dir, env: program.env, stdin }),
      );
      if (code !== 0) surface.say(`✗ ${messages.t("repl.shell_code", { code })}`, "bad");
      return;
    }
    const text = await backend.sessionDiff();
    if (text === "") return surface.say(messages.t("repl.no_changes"), "dim");
    surface.diff(text);
  },
};

/** Sessions and what they changed (TUI's table). */
export const SESSION_COMMANDS: readonly SlashCommand[] = [session, resume, rename, undo, checkpoints, diff];
