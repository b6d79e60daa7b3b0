// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { nearest } from "@blitz/api";
import { CONFIG } from "./config-command.js";
import { LOCALE } from "./locale-command.js";
import { PERMISSIONS } from "./permission-commands.js";
import { SESSION_COMMANDS } from "./session-commands.js";
import { SETUP_COMMANDS } from "./setup-commands.js";
import { fixed, type SlashCommand, SlashUsage } from "./slash-command.js";
import { countOf } from "./usage-line.js";

const help: SlashCommand = {
  name: "help",
  args: "",
  run: async ({ surface, messages }) => {
    const rows = SLASH_COMMANDS.map(
      ({ name, args }) => [`/${name} ${args}`.trimEnd(), messages.t(`slash.${name}`)] as const,
    );
    for (const [usage, text] of rows) surface.say(`  ${usage.padEnd(46)} ${text}`);
    surface.say(messages.t("repl.help_more"), "dim");
  },
};

const cost: SlashCommand = {
  name: "cost",
  aliases: ["usage"],
  args: "",
  run: async ({ backend, surface, messages: { t } }) => {
    const usage = await backend.usage();
    const price = usage.priced && usage.calls > 0 ? `$${usage.costUsd.toFixed(4)}` : t("repl.no_price");
    surface.say(
      t("repl.cost", {
        calls: usage.calls,
        input: countOf(usage.input),
        cached: countOf(usage.cached),
        output: countOf(usage.output),
        context: countOf(usage.lastPrompt),
        cost: price,
      }),
    );
  },
};

const memory: SlashCommand = {
  name: "memory",
  args: "[show]",
  complete: fixed("show"),
  run: async ({ backend, surface, messages }, args) => {
    if (args !== "" && args !== "show") throw new SlashUsage();
    const files = await backend.memoryFiles();
    surface.say(files.length === 0 ? messages.t("repl.no_memory") : files.join("\n"));
  },
};

const init: SlashCommand = {
  name: "init",
  args: "",
  run: async ({ runTurn }, args) => {
    if (args !== "") throw new SlashUsage();
    await runTurn({ text: "/init" });
  },
};

const plan: SlashCommand = {
  name: "plan",
  args: "<goal>",
  run: async ({ runTurn }, goal) => {
    if (goal === "") throw new SlashUsage();
    await runTurn({ text: goal, plan: true });
  },
};

const status: SlashCommand = {
  name: "status",
  args: "",
  run: async ({ backend, surface, program }) => {
    const [session, settings, sandbox] = await Promise.all([
      backend.activeSession(),
      backend.settings(),
      backend.sandboxSummary(),
    ]);
    const rows = {
      version: program.version,
      workspace: backend.dir,
      session: session?.id ?? "",
      agent: settings.agent,
      model: `${settings.provider}/${settings.model}`,
      mode: settings.permissionMode,
      sandbox: sandbox[0] ?? "",
    };
    for (const [key, value] of Object.entries(rows)) surface.say(`${key.padEnd(11)}${value}`);
  },
};

const clear: SlashCommand = { name: "clear", args: "", run: async ({ surface }) => surface.clear() };

const exit: SlashCommand = { name: "exit", aliases: ["quit"], args: "", run: async ({ leave }) => leave() };

/** Every built-in command, as the help lists them. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  help,
  ...SETUP_COMMANDS,
  CONFIG,
  LOCALE,
  PERMISSIONS,
  ...SESSION_COMMANDS,
  cost,
  memory,
  init,
  plan,
  status,
  clear,
  exit,
];

/** The command of a name or an alias, in lower case. */
export function slashCommandOf(name: string): SlashCommand | undefined {
  return SLASH_COMMANDS.find((one) => one.name === name || one.aliases?.includes(name) === true);
}

/** The known name nearest to one that isn't (TUI-22). */
export function nearestCommand(name: string): string | undefined {
  return nearest(
    name,
    SLASH_COMMANDS.flatMap((one) => [one.name, ...(one.aliases ?? [])]),
  );
}
