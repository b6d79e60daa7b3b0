// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isDeepStrictEqual } from "node:util";
import { apiError } from "@blitz/api";
import { parse } from "smol-toml";
import type { Tree } from "./config.js";

/** One value to write. */
export interface TomlEdit {
  /** The key in parts. */
  readonly names: readonly string[];
  readonly value: unknown;
  /** A number that is written with a decimal point also when it is whole (CFG-22). */
  readonly isFloat: boolean;
}

/**
 * The text of a TOML file with one value set, everything else as it was: comments, order, blank lines, line
 * ends, a byte-order mark (CFG-21). The same text when the value is there already. The editor isn't trusted:
 * what it wrote is read back and compared with what was meant (CFG-20).
 *
 * @param text - a file that parses
 * @throws ApiError `INVALID_SETTING` when a part of the key is no table in the file, or the file can't be
 *   edited without changing something else
 */
export async function withValue(text: string, { names, value, isFloat }: TomlEdit): Promise<string> {
  const { parse: parseEditable, patch, TomlFormat } = await import("@decimalturn/toml-patch");
  const meant = read(text);
  assign(meant, names, value);
  if (isDeepStrictEqual(meant, read(text))) return text;
  const base = withHeader(text, names.slice(0, -1));
  const edited = parseEditable(base) as Tree;
  assign(edited, names, value);
  const format = TomlFormat.autoDetectFormat(base);
  format.trailingComma = false; // lists that end in a comma still do; others get none
  format.bracketSpacing = false; // likewise
  format.minimumDecimals = isFloat ? 1 : 0;
  const result = patch(base, edited, format);
  const moved = aboveComment(base, result);
  if (readsAs(moved, meant)) return moved;
  if (!readsAs(result, meant)) throw refused(names, "a program can't change it there; edit the file by hand");
  return result;
}

function read(text: string): Tree {
  return parse(text.replace(/^\ufeff/, ""));
}

function readsAs(text: string, meant: Tree): boolean {
  try {
    return isDeepStrictEqual(read(text), meant);
  } catch {
    return false; // no TOML at all
  }
}

/** Defines every part, so no name can reach a prototype, and never writes into what isn't a table. */
function assign(tree: Tree, names: readonly string[], value: unknown): void {
  let table = tree;
  for (const [at, name] of names.entries()) {
    const below = Object.hasOwn(table, name) ? table[name] : (Object.create(null) as Tree);
    const next = at === names.length - 1 ? value : below;
    Object.defineProperty(table, name, { value: next, enumerable: true, configurable: true, writable: true });
    if (at === names.length - 1) return;
    if (typeof below !== "object" || below === null || Array.isArray(below) || below instanceof Date)
      throw refused(names, `${names.slice(0, at + 1).join(".")} is no table in the settings file`);
    table = below as Tree;
  }
}

/**
 * The text with a header for a table that has none: the editor would write an inline table into its parent.
 * A second header is an error in TOML, which tells whether there is one, or a table written in another way.
 */
function withHeader(text: string, names: readonly string[]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const isEmpty = /^\ufeff?$/.test(text);
  const endsLine = isEmpty || text.endsWith("\n");
  const blank = isEmpty || /\n\r?\n$/.test(text) ? "" : newline;
  const header = `[${names.map(spelled).join(".")}]${endsLine ? newline : ""}`;
  const extended = `${text}${endsLine ? "" : newline}${blank}${header}`;
  try {
    read(extended);
    return extended;
  } catch {
    return text;
  }
}

/**
 * Where lines came in below a comment that stands on top of the next table, they go above it: the editor takes the
 * comment for the end of the table before.
 */
function aboveComment(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const count = now.length - old.length;
  const start = now.findIndex((line, at) => line !== old[at]);
  const isInsertion = count > 0 && now.slice(start + count).join("\n") === old.slice(start).join("\n");
  if (!isInsertion || !/^\s*\[/.test(old[start] ?? "")) return after;
  let top = start;
  while (top > 0 && /^\s*#/.test(old[top - 1] ?? "")) top--;
  let end = top;
  while (end > 0 && (old[end - 1] ?? "").trim() === "") end--;
  if (top === start || end === top) return after; // no comment, or one that belongs to the lines above it
  const added = now.slice(start, start + count).filter((line) => line.trim() !== "");
  return [...old.slice(0, end), ...added, ...old.slice(end)].join("\n");
}

function spelled(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

function refused(names: readonly string[], why: string): Error {
  const key = names.join(".");
  return apiError("INVALID_SETTING", `${key}: ${why}`, { key });
}
