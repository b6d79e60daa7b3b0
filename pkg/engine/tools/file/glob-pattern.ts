// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { compileGlobName, compileGlobPath, type GlobOptions } from "../../files/index.js";

/** Folders searches don't enter unless a pattern names them (FS-93). */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "vendor", "target", "__pycache__"]);
const MOST_ALTERNATIVES: number = 64;

/** A glob as `glob` takes it, or why not. */
export type GlobPattern =
  | { readonly ok: true; readonly matches: (relative: string) => boolean; readonly enters: (name: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Compiles a glob relative to a folder: `*`, `?`, `**`, `{a,b}`; no climbing out. Dot folders and
 * dependency folders are entered only when a segment names them (FS-93).
 */
export function compileGlob(pattern: string, ignoreCase: boolean): GlobPattern {
  const clean = pattern
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "");
  if (clean === "") return { ok: false, problem: "the pattern is empty" };
  if (clean.startsWith("/") || clean.startsWith("~") || /^[A-Za-z]:/.test(clean))
    return { ok: false, problem: "the pattern must be relative; give the folder as path" };
  if (clean.split("/").includes("..")) return { ok: false, problem: 'the pattern can\'t hold ".."' };
  const expanded = expandBraces(clean);
  if (typeof expanded === "string") return { ok: false, problem: expanded };
  const tests = expanded.flatMap((one) => readings(one, ignoreCase).map((how) => compileGlobPath(one, how)));
  const named = expanded
    .flatMap((one) => one.split("/"))
    .filter((segment) => /^\.|^[^*?]+$/.test(segment))
    .flatMap((segment) => readings(segment, ignoreCase).map((how) => compileGlobName(segment, how)));
  return {
    ok: true,
    matches: (relative) => tests.some((test) => test(relative)),
    enters: (name) => !isSkipped(name) || named.some((test) => test(name)),
  };
}

/** Brackets are tried both ways: `*.[ch]` means a class, `app/[id]` a folder of that name. */
function readings(pattern: string, ignoreCase: boolean): readonly GlobOptions[] {
  return pattern.includes("[") ? [{ ignoreCase }, { ignoreCase, classes: true }] : [{ ignoreCase }];
}

/** Whether a search doesn't enter a folder of this name by itself. */
export function isSkipped(name: string): boolean {
  return name.startsWith(".") || SKIPPED.has(name);
}

/** Braces expanded, nested ones too; or what is wrong with them. */
function expandBraces(pattern: string): string[] | string {
  const open = pattern.indexOf("{");
  if (open < 0) return pattern.includes("}") ? "unmatched } in the pattern" : [pattern];
  let depth = 0;
  let from = open + 1;
  const alternatives: string[] = [];
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      alternatives.push(pattern.slice(from, at));
      from = at + 1;
    } else if (char === "}" && --depth === 0) {
      alternatives.push(pattern.slice(from, at));
      return expandAll(alternatives.map((one) => pattern.slice(0, open) + one + pattern.slice(at + 1)));
    }
  }
  return "unmatched { in the pattern";
}

function expandAll(patterns: readonly string[]): string[] | string {
  const all: string[] = [];
  for (const pattern of patterns) {
    const expanded = expandBraces(pattern);
    if (typeof expanded === "string") return expanded;
    all.push(...expanded);
    if (all.length > MOST_ALTERNATIVES) return `the braces give more than ${MOST_ALTERNATIVES} alternatives`;
  }
  return all;
}
