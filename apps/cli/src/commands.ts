// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { AGENCY_LEVELS, EFFORTS } from "@blitz/api";

/** One flag: parser, help and checks read this table. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What it takes; absent: it is a switch. */
  readonly value?: string;
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  readonly help: string;
}

/** A command and the flags it takes beside the common ones. */
export interface Command {
  readonly name: string;
  readonly args: string;
  readonly help: string;
  readonly flags: readonly Flag[];
  /** Not in the help. */
  readonly hidden?: boolean;
}

/** Flags of every command. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "config", short: "c", value: "DIR", help: "settings directory (default ~/.blitz)" },
  { name: "dir", short: "d", value: "DIR", help: "workspace (default: the current directory)" },
  { name: "plain", help: "plain text: no colour, no cursor movement, words for marks" },
  { name: "help", short: "h", help: "show this" },
];

const LOCAL: Flag = { name: "local", help: "in this process, also when the service runs" };

const RUN_FLAGS: readonly Flag[] = [
  { name: "prompt", short: "p", value: "TEXT", help: "the prompt; - reads standard input" },
  { name: "agent", short: "a", value: "NAME", help: "agent that answers" },
  { name: "model", short: "m", value: "MODEL", help: "model, or provider/model" },
  {
    name: "agency",
    value: "LEVEL",
    choices: AGENCY_LEVELS,
    help: "how far it goes alone: low, medium, high or extreme",
  },
  { name: "effort", value: "LEVEL", choices: EFFORTS, help: "how hard it thinks: minimal, low, medium, high or max" },
  { name: "permission-mode", value: "MODE", help: "default, accept-edits, auto, plan, dont-ask or bypass" },
  { name: "allow", value: "RULE", repeat: true, help: "permission rule for this run, e.g. 'shell(npm test)'" },
  { name: "deny", value: "RULE", repeat: true, help: "permission rule for this run" },
  { name: "resume", short: "r", value: "ID", help: "go on in a session: --resume=ID, or the latest" },
  { name: "continue", short: "C", help: "go on in this workspace's latest session" },
  { name: "name", value: "TITLE", help: "title of the new session" },
  {
    name: "output-format",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    help: "text, json or stream-json",
  },
  {
    name: "input-format",
    value: "FORMAT",
    choices: ["text", "stream-json"],
    help: "text, or stream-json: prompts and answers on standard input",
  },
  { name: "json-schema", value: "SCHEMA", help: "a JSON Schema the answer must fit, or the file of one" },
  { name: "plan", help: "read-only: a plan is the answer" },
  { name: "max-turns", value: "N", help: "limit of model calls" },
  { name: "max-cost-usd", value: "N", help: "limit in US dollars" },
  { name: "timeout", value: "TIME", help: "limit of time, e.g. 90s, 15m, 1h30m" },
  { name: "bg", help: "start it in the service and return; see: blitz agents" },
  LOCAL,
];

/** Flags that make no sense where the prompt and the session are given. */
const NOT_OF_INIT: ReadonlySet<string> = new Set([
  "prompt",
  "resume",
  "continue",
  "plan",
  "input-format",
  "json-schema",
]);

/** Every command there is; the first is the one without a name. */
export const COMMANDS: readonly Command[] = [
  {
    name: "",
    args: "[prompt…]",
    help: "open a session in the terminal, or run one prompt",
    flags: [
      ...RUN_FLAGS,
      { name: "interactive", short: "i", help: "a session in the terminal, also with a prompt or on a pipe" },
      { name: "version", short: "v", help: "show the version" },
      { name: "demo", help: "the same as: blitz demo" },
    ],
  },
  {
    name: "exec",
    args: "<prompt…>",
    help: "run one prompt, also one that begins with a command's name",
    flags: RUN_FLAGS,
  },
  {
    name: "init",
    args: "",
    help: "have the agent write AGENTS.md or BLITZ.md, or bring it up to date",
    flags: RUN_FLAGS.filter(({ name }) => !NOT_OF_INIT.has(name)),
  },
  { name: "demo", args: "", help: "show Blitz at work, without a model or a key", flags: [] },
  {
    name: "undo",
    args: "",
    help: "take back what the latest prompt changed",
    flags: [{ name: "force", help: "also restore files changed since" }, LOCAL],
  },
  {
    name: "sessions",
    args: "",
    help: "list this workspace's sessions",
    flags: [{ name: "all", help: "of every workspace" }, LOCAL],
  },
  {
    name: "agents",
    args: "",
    help: "list background runs",
    flags: [{ name: "all", short: "a", help: "also the ones that have ended" }],
  },
  {
    name: "attach",
    args: "<run or session>",
    help: "follow a background run or a session, and answer what it asks",
    flags: [{ name: "output-format", value: "FORMAT", choices: ["text", "stream-json"], help: "text or stream-json" }],
  },
  {
    name: "logs",
    args: "<run>",
    help: "show what a background run did so far",
    flags: [{ name: "follow", short: "f", help: "go on until it ends" }],
  },
  { name: "stop", args: "<run>", help: "stop a background run", flags: [] },
  {
    name: "approvals",
    args: "[list | watch | answer <request> <answer…>]",
    help: "list, watch or answer what waits (once, session, always, deny, or text)",
    flags: [{ name: "all", help: "of every open workspace" }],
  },
  {
    name: "service",
    args: "install|uninstall|status|start|stop|restart|logs",
    help: "the background service, at login and now",
    flags: [
      { name: "day", value: "DAY", help: "logs: of which day (default: the newest)" },
      { name: "level", value: "LEVEL", choices: ["debug", "info", "warn", "error"], help: "logs: the least important" },
      { name: "lines", short: "n", value: "N", help: "logs: how many records (default 100)" },
    ],
  },
  {
    name: "config",
    args: "init|path|show|set <key> <value>",
    help: "write a settings file, say where it is, show what is in force, save a setting",
    flags: [{ name: "force", help: "init: write over a file that is there" }],
  },
  {
    name: "doctor",
    args: "",
    help: "check settings, models, sandbox and programs, and say what to do",
    flags: [{ name: "online", help: "also ask each model for one word" }],
  },
  { name: "license", args: "[full | third-party]", help: "show the license and what Blitz contains", flags: [] },
  {
    name: "completion",
    args: "bash|zsh|fish|powershell",
    help: "print a script that completes commands and flags in a shell",
    flags: [],
  },
  { name: "serve", args: "", help: "run the service here", flags: [], hidden: true },
];

/** The help of a command. */
export function helpOf(command: Command): string {
  const name = command.name === "" ? "blitz" : `blitz ${command.name}`;
  const lines = [`Usage: ${name} [flags] ${command.args}`.trimEnd(), "", `${sentence(command.help)}.`, ""];
  if (command.name === "") {
    lines.push(
      "Commands:",
      ...COMMANDS.filter((one) => one.name !== "" && one.hidden !== true).map(
        (one) => `  ${one.name.padEnd(12)}${one.help}`,
      ),
      "",
    );
  }
  lines.push("Flags:", ...[...command.flags, ...COMMON_FLAGS].map(flagLine));
  return `${lines.join("\n")}\n`;
}

function flagLine(flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const long = `--${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
  return `  ${short}${long.padEnd(24)}${flag.help}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
