// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import path from "node:path";
import { isThere, readPlainFile } from "../files/index.js";
import { cleanText } from "./clean-text.js";
import { importsOf } from "./imports.js";
import { type InstructionFile, renderMemory } from "./render.js";

/** The settings of `[memory]`; see pkg/config. */
export interface MemoryConfig {
  readonly enabled: boolean;
  readonly files: readonly string[];
  readonly local_files: readonly string[];
  readonly global: string;
  /** Of each file. */
  readonly max_bytes: number;
}

/** What loading needs. */
export interface MemoryDeps {
  readonly config: MemoryConfig;
  /** Canonical path. */
  readonly workspace: string;
  readonly home: string;
  /** Blocked paths are never read, asked as written and as resolved (MEM-04). */
  readonly isBlocked: (absolute: string) => boolean;
}

/** Instructions found when a workspace opens. They inform; they grant nothing. */
export interface Memory {
  /** The section for every agent's instructions; `""` = none (MEM-10). */
  readonly text: string;
  /** The loaded files as shown, in the order of the text. */
  readonly files: readonly string[];
  /** Files left out and imports refused, and why. */
  readonly problems: readonly string[];
  /** Imports that name nothing; they stay as text (MEM-06). */
  readonly missing: readonly string[];
}

const MOST_LEVELS: number = 10;
const DEEPEST_IMPORT: number = 5;

/** A file to load, and where it and what it imports may really be. */
interface Wanted {
  readonly file: string;
  readonly within: readonly string[];
  readonly importedBy: string | undefined;
  readonly depth: number;
}

interface Loading {
  readonly deps: MemoryDeps;
  readonly state: string;
  readonly root: string;
  readonly seen: Set<string>;
  readonly loaded: InstructionFile[];
  readonly problems: string[];
  readonly missing: string[];
}

/**
 * Loads the instruction files of user and project, least to most specific, with their imports (MEM-02).
 * Never rejects: what can't be read is left out.
 */
export async function loadMemory(deps: MemoryDeps): Promise<Memory> {
  const { config, workspace, home } = deps;
  if (!config.enabled) return { text: "", files: [], problems: [], missing: [] };
  const state = path.join(home, ".blitz");
  const root = await repositoryRoot(workspace);
  const loading: Loading = { deps, state, root, seen: new Set(), loaded: [], problems: [], missing: [] };
  const global = config.global.startsWith("~/") ? path.join(home, config.global.slice(2)) : config.global;
  if (global !== "") await load(loading, wanted(global, [state, path.dirname(global)]));
  for (const dir of foldersDown(root, workspace)) {
    for (const name of [...config.files, ...config.local_files]) {
      await load(loading, wanted(path.join(dir, name), [root, state]));
    }
  }
  return {
    text: renderMemory(loading.loaded),
    files: loading.loaded.map((file) => file.shown),
    problems: loading.problems,
    missing: loading.missing,
  };
}

function wanted(file: string, within: readonly string[]): Wanted {
  return { file, within, importedBy: undefined, depth: 0 };
}

/** The nearest folder with a `.git`, up to ten levels; without one the workspace alone (MEM-03). */
async function repositoryRoot(workspace: string): Promise<string> {
  let dir = workspace;
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (await isThere(path.join(dir, ".git"))) return dir;
    const above = path.dirname(dir);
    if (above === dir) break;
    dir = above;
  }
  return workspace;
}

function foldersDown(root: string, workspace: string): readonly string[] {
  const between = path
    .relative(root, workspace)
    .split(path.sep)
    .filter((part) => part !== "");
  return [root, ...between.map((_, at) => path.join(root, ...between.slice(0, at + 1)))];
}

/** Loads one file, once, and after it what it imports. */
async function load(loading: Loading, { file, within, importedBy, depth }: Wanted): Promise<void> {
  const shown = shownPath(loading, file);
  const by = importedBy === undefined ? "" : ` (imported by ${importedBy})`;
  if (loading.deps.isBlocked(file)) {
    if (await isThere(file)) loading.problems.push(`${shown}${by} is a blocked path and was not read`);
    return;
  }
  let outside = false;
  const read = await readPlainFile(file, loading.deps.config.max_bytes, (real) => {
    outside = !within.some((dir) => isInside(real, dir));
    return !outside && !loading.deps.isBlocked(real);
  });
  if (read === undefined) {
    if (outside) loading.problems.push(`${shown}${by} leads outside the project and was not read`);
    else if (importedBy !== undefined) loading.missing.push(`${shown}${by}`);
    return;
  }
  const text = cleanText(read.bytes, read.truncated);
  const content = createHash("sha256").update(text).digest("hex");
  if (text === "" || loading.seen.has(read.real) || loading.seen.has(content)) return;
  loading.seen.add(read.real).add(content);
  loading.loaded.push({ shown, importedBy, text, truncated: read.truncated });
  for (const token of importsOf(text)) await loadImport(loading, token, { file, within, importedBy: shown, depth });
}

/** `importer.file` is the importing file as written; its folder is where relative paths start. */
async function loadImport(loading: Loading, token: string, importer: Wanted): Promise<void> {
  const refused = (why: string): void => {
    loading.problems.push(`@${token} in ${importer.importedBy} was not imported: ${why}`);
  };
  const target = token.startsWith("~/")
    ? path.join(loading.deps.home, token.slice(2))
    : path.resolve(path.dirname(importer.file), token);
  if (importer.depth >= DEEPEST_IMPORT) return refused(`imports go at most ${DEEPEST_IMPORT} deep`);
  // What a project's file imports lies in the repository; only the user's own may reach ~/.blitz.
  const fromUser = !isInside(importer.file, loading.root) || isInside(importer.file, loading.state);
  const within = fromUser ? [loading.state] : [loading.root];
  if (!within.some((dir) => isInside(target, dir))) return refused("it is outside the project");
  await load(loading, { file: target, within, importedBy: importer.importedBy, depth: importer.depth + 1 });
}

function shownPath({ deps, state }: Loading, file: string): string {
  if (isInside(file, deps.workspace)) return path.relative(deps.workspace, file).split(path.sep).join("/");
  return isInside(file, state) ? `~/.blitz/${path.relative(state, file).split(path.sep).join("/")}` : file;
}

function isInside(file: string, dir: string): boolean {
  const relative = path.relative(dir, file);
  return relative === "" || !(relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
