// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { apiError, nearest } from "@blitz/api";
import { parse, TomlError } from "smol-toml";
import { problemOf } from "./check-value.js";
import { type Config, defaults, get, put, type Tree } from "./config.js";
import { positionOf } from "./position.js";
import { SETTINGS, type Setting, type SettingType } from "./schema.js";

/** Where settings come from. Nothing of the working directory or the workspace is searched (CFG-01). */
export interface ConfigSources {
  /** The settings directory, absolute; the file in it is `.env.toml`. */
  readonly dir: string;
  /** The workspace whose own settings (kept in the settings directory) apply, absolute; absent: none. */
  readonly workspace?: string;
  /** The home directory `~` stands for. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a value was set, weakest first (CFG-06). */
export type ConfigSource = "default" | "global" | "workspace" | "environment";

/** Settings as loaded. */
export interface LoadedConfig {
  readonly config: Config;
  /** One line each: unknown keys, values of presentation settings that were not taken. */
  readonly warnings: readonly string[];
  readonly sourceOf: (key: string) => ConfigSource;
  /** The files that were there. */
  readonly files: readonly string[];
}

interface Problem {
  readonly text: string;
}

/**
 * Loads settings: defaults, the global file, the workspace's own file, the environment (CFG-41).
 *
 * @throws ApiError `CONFIG_INVALID` naming file, line and key of every error
 */
export async function loadConfig(from: ConfigSources): Promise<LoadedConfig> {
  const tree = defaults();
  const sources = new Map<string, ConfigSource>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const files: string[] = [];
  for (const [source, file] of filesOf(from)) {
    const text = await readOptional(file);
    if (text === undefined) continue;
    files.push(file);
    applyFile({ file, source, text }, tree, sources, problems, warnings);
  }
  applyEnvironment(from.env, tree, sources, problems);
  refuse(problems);
  expandHome(tree, from.home);
  return { config: tree as unknown as Config, warnings, sourceOf: (key) => sources.get(key) ?? "default", files };
}

/**
 * Checks one settings file by itself, as loading it would.
 *
 * @throws ApiError `CONFIG_INVALID` naming file, line and key of every error
 */
export function checkSettings(file: string, text: string): void {
  const problems: Problem[] = [];
  applyFile({ file, source: "global", text: withoutMark(text) }, defaults(), new Map(), problems, []);
  refuse(problems);
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const lines = problems.map((problem) => problem.text).join("\n");
  throw apiError("CONFIG_INVALID", lines, { problems: lines });
}

/** Without a byte-order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/** The file of a workspace's own settings, inside the settings directory (CFG-40). */
export function workspaceSettingsFile(dir: string, workspace: string): string {
  let real = workspace;
  try {
    real = realpathSync(workspace);
  } catch {
    // Opening the workspace says what is wrong with it; its settings file is looked up by the name given.
  }
  const base = path.basename(real).replace(/[^A-Za-z0-9._-]/g, "-");
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 8);
  return path.join(dir, "workspaces", `${base}-${hash}`, ".env.toml");
}

function filesOf(from: ConfigSources): readonly (readonly [ConfigSource, string])[] {
  const global = ["global", path.join(from.dir, ".env.toml")] as const;
  if (from.workspace === undefined) return [global];
  return [global, ["workspace", workspaceSettingsFile(from.dir, from.workspace)]];
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return withoutMark(await readFile(file, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw apiError("CONFIG_INVALID", `${file}: ${message}`, { problems: message }, error);
  }
}

interface ConfigFile {
  readonly file: string;
  readonly source: ConfigSource;
  readonly text: string;
}

function applyFile(
  from: ConfigFile,
  tree: Tree,
  sources: Map<string, ConfigSource>,
  problems: Problem[],
  warnings: string[],
): void {
  let parsed: Tree;
  try {
    parsed = parse(from.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "");
    problems.push({ text: `${from.file}:${error.line}:${error.column}: ${reason}` });
    return;
  }
  const at = (names: readonly string[]): string => {
    const { line, col } = positionOf(from.text, names);
    return line === 0 ? from.file : `${from.file}:${line}:${col}`;
  };
  for (const setting of SETTINGS) {
    const value = get(parsed, setting.key);
    if (value === undefined) continue;
    const names = setting.key.split(".");
    const wrong =
      setting.type.kind === "map" ? mapProblem(value, setting.type, names) : wrongValue(value, setting, names);
    if (wrong !== undefined) {
      problems.push({ text: `${at(wrong.names)}: ${wrong.names.join(".")}: ${wrong.problem}` });
      continue;
    }
    put(tree, setting.key, merged(setting, get(tree, setting.key), value));
    sources.set(setting.key, from.source);
  }
  for (const names of unknownKeys(parsed, [])) {
    const key = names.join(".");
    const near = nearest(
      key,
      SETTINGS.map((setting) => setting.key),
    );
    warnings.push(`${at(names)}: unknown setting ${key}${near === undefined ? "" : ` (did you mean ${near}?)`}`);
  }
}

interface Wrong {
  readonly names: readonly string[];
  readonly problem: string;
}

function wrongValue(value: unknown, setting: Setting, names: readonly string[]): Wrong | undefined {
  const normal = setting.key === "blitz.permission_mode" && typeof value === "string" ? normalMode(value) : value;
  const problem = problemOf(normal, setting.type);
  return problem === undefined ? undefined : { names, problem };
}

/** The spellings a mode is read in are the contract's (APR-53); the schema lists the canonical ones. */
function normalMode(text: string): string {
  const spelling = text.toLowerCase().replaceAll("_", "-");
  return (
    { acceptedits: "accept-edits", dontask: "dont-ask", bypasspermissions: "bypass", "": "default" }[spelling] ??
    spelling
  );
}

function mapProblem(
  value: unknown,
  type: Extract<SettingType, { kind: "map" }>,
  names: readonly string[],
): Wrong | undefined {
  const problem = problemOf(value, type);
  if (problem !== undefined) return { names, problem };
  for (const [key, entry] of Object.entries(value as Tree)) {
    const wrong = entryProblem(entry, type.entry, [...names, key]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function entryProblem(
  entry: unknown,
  type: SettingType | Readonly<Record<string, SettingType>>,
  names: readonly string[],
): Wrong | undefined {
  if (isType(type)) {
    const problem = problemOf(entry, type);
    return problem === undefined ? undefined : { names, problem };
  }
  const table = problemOf(entry, { kind: "map", entry: { kind: "flag" } });
  if (table !== undefined) return { names, problem: table };
  for (const [key, value] of Object.entries(entry as Tree)) {
    const field = Object.hasOwn(type, key) ? type[key] : undefined;
    const problem = field === undefined ? `unknown; known: ${Object.keys(type).join(", ")}` : problemOf(value, field);
    if (problem !== undefined) return { names: [...names, key], problem };
  }
  return undefined;
}

function isType(type: SettingType | Readonly<Record<string, SettingType>>): type is SettingType {
  return typeof (type as { readonly kind?: unknown }).kind === "string";
}

/** Lists replace, but permission rules add and maps merge by key (CFG-11). */
function merged(setting: Setting, old: unknown, value: unknown): unknown {
  if (setting.key.startsWith("permissions.") && Array.isArray(value))
    return [...new Set([...(old as string[]), ...(value as string[])])];
  if (setting.type.kind === "map") return Object.assign(Object.create(null), old, value) as unknown;
  return setting.key === "blitz.permission_mode" && typeof value === "string" ? normalMode(value) : value;
}

/** Keys no setting has: the shortest name of each that leads nowhere. */
function unknownKeys(tree: Tree, names: readonly string[]): (readonly string[])[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const here = [...names, key];
    const dotted = here.join(".");
    if (SETTINGS.some((setting) => setting.key === dotted)) return [];
    const inside = SETTINGS.some((setting) => setting.key.startsWith(`${dotted}.`));
    if (inside && typeof value === "object" && value !== null && !Array.isArray(value))
      return unknownKeys(value as Tree, here);
    return [here];
  });
}

function applyEnvironment(
  env: ConfigSources["env"],
  tree: Tree,
  sources: Map<string, ConfigSource>,
  problems: Problem[],
): void {
  for (const setting of SETTINGS) {
    const { override, fill } = setting.env ?? {};
    const over = override === undefined ? undefined : env[override];
    const filling =
      get(tree, setting.key) === ""
        ? fill?.map((name) => env[name]).find((one) => one !== undefined && one !== "")
        : undefined;
    const given = over !== undefined && over !== "" ? over : filling;
    if (given === undefined) continue;
    const value = setting.type.kind === "text" && setting.type.values !== undefined ? given.toLowerCase() : given;
    const problem = problemOf(value, setting.type);
    if (problem !== undefined) problems.push({ text: `environment ${override ?? ""}: ${setting.key}: ${problem}` });
    put(tree, setting.key, value);
    sources.set(setting.key, "environment");
  }
}

const PATHS: readonly string[] = [
  "tools.approvals_file",
  "session.storage_dir",
  "checkpoints.dir",
  "memory.global",
  "log.dir",
  "audit.dir",
  "ui.locales_dir",
  "ui.history_file",
];

/** `~` and `~/…` stand for the home directory; `~user` stays as written (CFG-04). */
function expandHome(tree: Tree, home: string): void {
  for (const key of PATHS) {
    const value = get(tree, key);
    if (typeof value === "string")
      put(tree, key, value === "~" || value.startsWith("~/") ? path.join(home, value.slice(1)) : value);
  }
}
