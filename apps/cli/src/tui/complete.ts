// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdir } from "node:fs/promises";
import path from "node:path";
import type { CommandContext, SlashCommand } from "./slash-command.js";
import type { Complete, Completion } from "./surface.js";

/** What completion reads. */
export interface CompleteDeps {
  readonly commands: readonly SlashCommand[];
  readonly context: Pick<CommandContext, "backend" | "messages" | "language">;
  /** Whether a file is never offered: its path from the workspace (CLI-41). */
  readonly isBlocked: (file: string) => boolean;
}

/** Most completions offered at once. */
const MOST_OFFERED: number = 50;

const NAME: RegExp = /^\s*(\/[^\s/]*)$/;
const ARGUMENT: RegExp = /^\s*\/([^\s/]+)\s+(.*)$/s;
const MENTION: RegExp = /(?:^|\s)(@[^\s@]*)$/;

/** Completes commands, their arguments, and files after `@` (CLI-40, 41). */
export function createComplete({ commands, context, isBlocked }: CompleteDeps): Complete {
  return async (before) => {
    const [, name] = NAME.exec(before) ?? [];
    if (name !== undefined) return offer(name, names(commands, context));
    const [, mention] = MENTION.exec(before) ?? [];
    if (mention !== undefined) return offer(mention, await files(context.backend.dir, mention, isBlocked));
    const [, command = "", typed = ""] = ARGUMENT.exec(before) ?? [];
    const known = commands.find((one) => one.name === command || one.aliases?.includes(command) === true);
    if (known?.complete === undefined) return undefined;
    return offer(typed, await known.complete(context));
  };
}

function offer(replaces: string, all: readonly Completion[]): { replaces: string; items: readonly Completion[] } {
  const folded = replaces.toLowerCase();
  const items = all.filter(({ text }) => text.toLowerCase().startsWith(folded)).slice(0, MOST_OFFERED);
  return { replaces, items };
}

function names(commands: readonly SlashCommand[], { messages }: CompleteDeps["context"]): readonly Completion[] {
  return commands.map(({ name }) => ({ text: `/${name}`, detail: messages.t(`slash.${name}`) }));
}

/** Entries of the folder a mention names so far; hidden ones only when their dot was typed. */
async function files(
  root: string,
  mention: string,
  isBlocked: CompleteDeps["isBlocked"],
): Promise<readonly Completion[]> {
  const folder = mention.slice(1).replace(/[^/]*$/, "");
  if (path.isAbsolute(folder) || folder.split("/").includes("..")) return [];
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []); // not a folder
  const wantsHidden = path.basename(`x/${mention.slice(1 + folder.length)}`).startsWith(".");
  return entries
    .filter(({ name }) => (wantsHidden || !name.startsWith(".")) && !isBlocked(`${folder}${name}`))
    .map((entry) => `@${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort()
    .map((text) => ({ text }));
}

/** Tells files by `sandbox.blocked_paths`: a pattern without a slash counts for any name on the path. */
export function createBlocked(patterns: readonly string[]): (file: string) => boolean {
  const named = patterns.filter((pattern) => !pattern.includes("/"));
  const tests = named.map((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join("[^/]*")}$`);
  });
  return (file) => file.split("/").some((name) => tests.some((test) => test.test(name)));
}
