// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { parseArgs } from "node:util";
import { nearest } from "@blitz/api";
import { COMMANDS, COMMON_FLAGS, type Command, type Flag } from "./commands.js";
import { UsageError } from "./usage-error.js";

/** A parsed command line. */
export interface Parsed {
  readonly command: Command;
  readonly words: readonly string[];
  readonly text: (flag: string) => string | undefined;
  readonly texts: (flag: string) => readonly string[];
  readonly has: (flag: string) => boolean;
}

/** What runs when the first word is no command. */
const ROOT: Command = COMMANDS.find((one) => one.name === "") ?? { name: "", args: "", help: "", flags: [] };

/** @throws UsageError naming the flag and the nearest known one */
export function parseCommandLine(argv: readonly string[]): Parsed {
  const first = argv.find((word) => !word.startsWith("-"));
  const named = first !== undefined && argv[0] === first ? COMMANDS.find((one) => one.name === first) : undefined;
  const command = named ?? ROOT;
  const flags = [...command.flags, ...COMMON_FLAGS];
  const args = rewriteResume(named === undefined ? argv : argv.slice(1));
  checkKnown(args, flags, command);
  let parsed: { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({ args: [...args], options: optionsOf(flags), allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(command, (error as Error).message.split(". ")[0] ?? "bad arguments");
  }
  const { values, positionals } = parsed;
  if (named === undefined && args.length === 1) refuseMisspelt(positionals[0]);
  for (const flag of flags) {
    const value = values[flag.name];
    if (flag.choices !== undefined && typeof value === "string" && !flag.choices.includes(value)) {
      throw usage(command, `--${flag.name} takes ${flag.choices.join(", ")}, not "${value}"`);
    }
  }
  return {
    command,
    words: positionals,
    text: (flag) => (typeof values[flag] === "string" ? values[flag] : undefined),
    texts: (flag) => (Array.isArray(values[flag]) ? (values[flag] as string[]) : []),
    has: (flag) => values[flag] !== undefined,
  };
}

/** A lone word that is nearly a command's name is no prompt: a slip must not be sent to a model. */
function refuseMisspelt(word: string | undefined): void {
  if (word === undefined) return;
  const near = nearest(
    word,
    COMMANDS.flatMap((one) => (one.name === "" ? [] : [one.name])),
  );
  if (near !== undefined)
    throw usage(ROOT, `unknown command ${word} (did you mean ${near}?); for a prompt: blitz exec ${word}`);
}

/** A usage error with the hint every one ends with. */
export function usage(command: Command, message: string): UsageError {
  return new UsageError(`${message}\nRun 'blitz${command.name === "" ? "" : ` ${command.name}`} --help' for usage.`);
}

/**
 * `--resume` and `-r` take their value with `=`; bare they mean the latest, unless the next word is a
 * session's ID (CLI-81). The parser would take any next word.
 */
function rewriteResume(args: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") return [...out, ...args.slice(at)];
    if (word !== "--resume" && word !== "-r") {
      out.push(word.startsWith("-r=") ? `--resume=${word.slice(3)}` : word);
      continue;
    }
    const next = args[at + 1];
    if (next?.startsWith("session-") === true) at++;
    out.push(`--resume=${next?.startsWith("session-") === true ? next : "latest"}`);
  }
  return out;
}

function optionsOf(flags: readonly Flag[]): NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]> {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }> = {};
  for (const flag of flags) {
    options[flag.name] = {
      type: flag.value === undefined ? "boolean" : "string",
      ...(flag.short === undefined ? {} : { short: flag.short }),
      ...(flag.repeat === true ? { multiple: true } : {}),
    };
  }
  return options;
}

function checkKnown(args: readonly string[], flags: readonly Flag[], command: Command): void {
  let takesNext = false;
  for (const word of args) {
    if (word === "--") return;
    if (takesNext) {
      takesNext = false;
      continue;
    }
    if (!word.startsWith("--")) {
      const short =
        word.startsWith("-") && word.length === 2 ? flags.find((flag) => flag.short === word[1]) : undefined;
      takesNext = short?.value !== undefined;
      continue;
    }
    const name = word.slice(2).split("=")[0] ?? "";
    const flag = flags.find((one) => one.name === name);
    if (flag === undefined) {
      const near = nearest(
        name,
        flags.map((one) => one.name),
      );
      throw usage(command, `unknown flag --${name}${near === undefined ? "" : ` (did you mean --${near}?)`}`);
    }
    takesNext = flag.value !== undefined && !word.includes("=");
  }
}
