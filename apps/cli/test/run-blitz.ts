// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The program under test: compiled beside this file by Bazel, the bundle elsewhere. */
const compiled: string = path.join(import.meta.dirname, "..", "src", "main.js");
export const PROGRAM: string = existsSync(compiled)
  ? compiled
  : path.join(import.meta.dirname, "..", "..", "..", "dist", "cli", "blitz.mjs");

/**
 * Whether an OS sandbox works here. Where it doesn't (Bazel in a container, say) runs go without one,
 * and what only a sandbox does isn't tried; `.ci/run` sets BLITZ_TEST_SANDBOX, and then it must work.
 */
export const HAS_SANDBOX: boolean =
  process.platform === "darwin" ||
  process.env["BLITZ_TEST_SANDBOX"] === "required" ||
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]).status === 0;

/** A folder of its own for a test: home, workspace and settings. */
export interface Scratch extends Disposable {
  readonly base: string;
  readonly home: string;
  readonly ws: string;
  readonly cfg: string;
  /** Writes the settings: provider and address of a fake, and more lines. */
  configure(provider: "anthropic" | "openai" | "gemini" | "ollama", url: string, more?: string): void;
}

/** Makes the folders of cases.md §0. */
export function createScratch(): Scratch {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-cli-")));
  const [home, ws, cfg] = ["home", "ws", "cfg"].map((name) => path.join(base, name)) as [string, string, string];
  for (const dir of [home, ws, cfg]) mkdirSync(dir);
  const address: Readonly<Record<string, string>> = { anthropic: "", openai: "/v1", gemini: "", ollama: "/v1" };
  return {
    base,
    home,
    ws,
    cfg,
    configure: (provider, url, more = "") => {
      const key = provider === "ollama" ? "" : 'api_key = "test-key-0000000000"\n';
      const off = provider === "anthropic" ? 'fallbacks = "off"\n' : "";
      writeFileSync(
        path.join(cfg, ".env.toml"),
        `${more}\n[llm]\nprovider = "${provider}"\nmax_retries = 0\nstall_timeout_seconds = 5\n[llm.${provider}]\n${key}${off}model = "fake-model"\nbase_url = "${url}${address[provider]}"\n`,
      );
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A finished run. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run under way. */
export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Finished>;
}

const WITHOUT_SANDBOX: Readonly<Record<string, string>> = HAS_SANDBOX ? {} : { BLITZ_SANDBOX_SHELL: "off" };

/** Starts blitz in a scratch home, without any key of the environment. `stdin` is written and closed. */
export function startBlitz(
  scratch: Scratch,
  args: readonly string[],
  options: {
    readonly stdin?: string;
    /** Input is a pipe that stays open, for the test to write to. */
    readonly openInput?: boolean;
    /** Where its output goes, an open file; a pipe read here otherwise. */
    readonly stdout?: number;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Running {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: scratch.home,
    LANG: "C.UTF-8",
    ...WITHOUT_SANDBOX,
    ...options.env,
  };
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: scratch.base,
    env,
    stdio: [
      options.stdin === undefined && options.openInput !== true ? "ignore" : "pipe",
      options.stdout ?? "pipe",
      "pipe",
    ],
  });
  if (options.openInput !== true) child.stdin?.end(options.stdin);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const done = (async (): Promise<Finished> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return { code, signal, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") };
  })();
  return { child, done };
}

/** Runs `blitz exec` in the scratch workspace to its end. */
export async function execBlitz(
  scratch: Scratch,
  args: readonly string[],
  options: Parameters<typeof startBlitz>[2] = {},
): Promise<Finished> {
  return await startBlitz(scratch, ["exec", "--local", "-c", scratch.cfg, "-d", scratch.ws, ...args], options).done;
}
