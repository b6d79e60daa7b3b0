// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { createScratch, type Finished, type Running, type Scratch, startBlitz } from "./run-blitz.js";

/** The providers, one for each wire format. */
export const PROVIDERS = ["anthropic", "openai", "gemini", "ollama"] as const;

/** What a run reports as JSON. */
export interface Report {
  readonly session_id: string;
  readonly result: string;
  readonly exit_code: number;
  readonly error?: string;
  readonly tool_calls?: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly result: Readonly<Record<string, unknown>>;
  }[];
}

/** The result of a tool call. */
export type CallResult = Readonly<Record<string, unknown>>;

/** A scratch with a fake provider of its own, and the runs the cases make in it. */
export interface Scene extends AsyncDisposable {
  readonly scratch: Scratch;
  readonly fake: FakeProvider;
  /** Writes a file of the workspace, with the folders above it. */
  put(name: string, text: string, mode?: number): void;
  get(name: string): string;
  /** Runs git in the workspace, with the scratch's home. */
  git(...args: readonly string[]): string;
  /** Makes the workspace a repository with one commit of what is in it. */
  commitAll(): void;
  /** `exec --output-format json` to its end. */
  run(...args: readonly string[]): Promise<Finished & { readonly report: Report }>;
  /** One turn with a call for each command; their results in the same order. */
  commands(commands: readonly string[], ...args: readonly string[]): Promise<readonly CallResult[]>;
}

/** A tool call of a scripted answer. */
export function call(
  name: string,
  args: object,
): { readonly type: "call"; readonly name: string; readonly args: object } {
  return { type: "call", name, args };
}

/** A call of the shell tool. */
export function shell(command: string, timeout_seconds: number = 20): ReturnType<typeof call> {
  return call("run_shell_command", { command, timeout_seconds });
}

/** Opens a scene; the provider is Anthropic until the test configures another. */
export async function openScene(): Promise<Scene> {
  const scratch = createScratch();
  const fake = await startFakeProvider();
  scratch.configure("anthropic", fake.url);
  const put = (name: string, text: string, mode: number = 0o644): void => {
    const file = path.join(scratch.ws, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: scratch.ws, encoding: "utf8", env: gitEnvironment(scratch), stdio: "pipe" });
  const run: Scene["run"] = async (...args) => {
    const finished = await startExec(scratch, args).done;
    return { ...finished, report: reportOf(finished) };
  };
  return {
    scratch,
    fake,
    put,
    get: (name) => readFileSync(path.join(scratch.ws, name), "utf8"),
    git,
    commitAll: () => {
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("-c", "user.name=u", "-c", "user.email=u@example.com", "commit", "-q", "--allow-empty", "-m", "first");
    },
    run,
    commands: async (commands, ...args) => {
      fake.script({ parts: commands.map((command) => shell(command)) }, { text: "Done." });
      const { report } = await run(...args, "go");
      if (report.exit_code !== 0) throw new Error(`the run failed: ${JSON.stringify(report)}`);
      return (report.tool_calls ?? []).map((one) => one.result);
    },
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      scratch[Symbol.dispose]();
    },
  };
}

function gitEnvironment(scratch: Scratch): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"] ?? "", HOME: scratch.home, GIT_CONFIG_NOSYSTEM: "1" };
}

/** Starts `exec --output-format json` in the workspace and doesn't wait for it. */
export function startExec(
  scratch: Scratch,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly ws?: string } = {},
): Running {
  const { ws = scratch.ws, env = {} } = options;
  const fixed = ["exec", "--local", "-c", scratch.cfg, "-d", ws, "--output-format", "json"];
  return startBlitz(scratch, [...fixed, ...args], { env });
}

/** The report a finished run printed. */
export function reportOf(finished: Finished): Report {
  if (!finished.stdout.startsWith("{")) throw new Error(`no report: ${JSON.stringify(finished)}`);
  return JSON.parse(finished.stdout) as Report;
}

/** Waits for something outside this process, looking each time the event loop comes round. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Everything below a folder but the compile cache: paths relative to it, links not followed. */
export function treeOf(dir: string): readonly string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)));
  return names.filter((name) => !name.includes("cache/compile/")).sort();
}

/** Files below a folder with their content (of long ones the hash), links and sockets with their kind. */
export function contentOf(dir: string): Readonly<Record<string, string>> {
  const entries = treeOf(dir).map((name): [string, string] => {
    const file = path.join(dir, name);
    const stats = lstatSync(file);
    if (!stats.isFile()) return [name, stats.isDirectory() ? "folder" : "other"];
    const bytes = readFileSync(file);
    return [name, bytes.length < 4_096 ? bytes.toString() : createHash("sha256").update(bytes).digest("hex")];
  });
  return Object.fromEntries(entries);
}
