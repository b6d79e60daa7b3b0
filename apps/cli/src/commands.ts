// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

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
}

/** Flags of every command. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "config", short: "c", value: "DIR", help: "settings directory (default ~/.blitz)" },
  { name: "dir", short: "d", value: "DIR", help: "workspace (default: the current directory)" },
  { name: "help", short: "h", help: "show this" },
];

const RUN_FLAGS: readonly Flag[] = [
  { name: "prompt", short: "p", value: "TEXT", help: "the prompt; - reads standard input" },
  { name: "agent", short: "a", value: "NAME", help: "agent that answers" },
  { name: "model", short: "m", value: "MODEL", help: "model, or provider/model" },
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
  { name: "plan", help: "read-only: a plan is the answer" },
  { name: "max-turns", value: "N", help: "limit of model calls" },
  { name: "max-cost-usd", value: "N", help: "limit in US dollars" },
  { name: "timeout", value: "TIME", help: "limit of time, e.g. 90s, 15m, 1h30m" },
  { name: "local", help: "run in this process" },
];

/** Every command there is; the first is the one without a name. */
export const COMMANDS: readonly Command[] = [
  {
    name: "",
    args: "[prompt…]",
    help: "run one prompt",
    flags: [
      ...RUN_FLAGS,
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
  { name: "demo", args: "", help: "show Blitz at work, without a model or a key", flags: [] },
  {
    name: "undo",
    args: "",
    help: "take back what the latest prompt changed",
    flags: [{ name: "force", help: "also restore files changed since" }],
  },
  {
    name: "sessions",
    args: "",
    help: "list this workspace's sessions",
    flags: [{ name: "all", help: "of every workspace" }],
  },
];

/** The help of a command. */
export function helpOf(command: Command): string {
  const name = command.name === "" ? "blitz" : `blitz ${command.name}`;
  const lines = [`Usage: ${name} [flags] ${command.args}`.trimEnd(), "", `${sentence(command.help)}.`, ""];
  if (command.name === "") {
    lines.push(
      "Commands:",
      ...COMMANDS.filter((one) => one.name !== "").map((one) => `  ${one.name.padEnd(12)}${one.help}`),
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
