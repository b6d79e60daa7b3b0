// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Backend, isActive } from "@blitz/api";
import { attach, openService, type ServiceClient } from "@blitz/client";
import { HAS_SANDBOX, type Finished, type Running, type Scratch, startBlitz } from "./run-blitz.js";

/** The service's program: compiled by Bazel, the bundle elsewhere. */
const compiled: string = path.join(import.meta.dirname, "..", "..", "service", "src", "main.js");
const BLITZD: string = existsSync(compiled)
  ? compiled
  : path.join(import.meta.dirname, "..", "..", "..", "dist", "service", "blitzd.mjs");

/** The socket of a scratch home. */
export function endpointIn(scratch: Scratch): string {
  return path.join(scratch.home, ".blitz", "run", "blitz.sock");
}

/** A running service; disposing kills it. */
export interface TestService extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Its own operations, as another client. */
  readonly client: ServiceClient;
  /** The scratch workspace there, as another client. */
  attach(client?: string): Promise<Backend>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a service in a scratch home; resolves when it listens. */
export async function startService(scratch: Scratch): Promise<TestService> {
  const sandbox: Record<string, string> = HAS_SANDBOX ? {} : { BLITZ_SANDBOX_SHELL: "off" };
  const child = spawn(process.execPath, [BLITZD, "--config", scratch.cfg], {
    cwd: scratch.base,
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch.home, LANG: "C.UTF-8", ...sandbox },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const listening = Promise.withResolvers<void>();
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
    if (stderr.includes("listening on ")) listening.resolve();
  });
  const ended = once(child, "close").then(([code]) => {
    listening.reject(new Error(`blitzd ended: ${stderr}`));
    return code as number | null;
  });
  await listening.promise;
  const endpoint = endpointIn(scratch);
  const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return await ended;
  };
  return {
    child,
    client: openService({ endpoint, client: "script;test" }),
    attach: async (client = "script;test") =>
      await attach({ endpoint, dir: scratch.ws, client, warn: () => undefined }),
    kill,
    [Symbol.asyncDispose]: async () => void (await kill("SIGKILL")),
  };
}

/** Runs `blitz` with the scratch's settings and workspace to its end. */
export async function blitz(
  scratch: Scratch,
  args: readonly string[],
  options: Parameters<typeof startBlitz>[2] = {},
): Promise<Finished> {
  return await begin(scratch, args, options).done;
}

/** Starts `blitz` with the scratch's settings and workspace. */
export function begin(
  scratch: Scratch,
  [command = "", ...args]: readonly string[],
  options: Parameters<typeof startBlitz>[2] = {},
): Running {
  return startBlitz(scratch, [command, "-c", scratch.cfg, "-d", scratch.ws, ...args], options);
}

/** What a started program has printed so far. */
export function outputOf({ child }: Running): { readonly stdout: () => string; readonly stderr: () => string } {
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (text.stdout += chunk.toString("utf8")));
  child.stderr?.on("data", (chunk: Buffer) => (text.stderr += chunk.toString("utf8")));
  return { stdout: () => text.stdout, stderr: () => text.stderr };
}

/** Starts a background run by the command; its ID and session. */
export async function startRun(
  scratch: Scratch,
  prompt: string,
  ...flags: readonly string[]
): Promise<{ readonly id: string; readonly session: string }> {
  const run = await blitz(scratch, ["exec", "--bg", ...flags, prompt]);
  const [, id = "", session = ""] = /^Started (bg-\d+) in \S+, session (\S+)\.$/m.exec(run.stdout) ?? [];
  if (run.code !== 0 || id === "") throw new Error(`no run was started: ${JSON.stringify(run)}`);
  return { id, session };
}

/** Waits until a background run has ended. */
export async function runEnded({ client }: TestService, id: string): Promise<void> {
  for (;;) {
    const run = (await client.listBackground()).find((one) => one.id === id);
    if (run !== undefined && !isActive(run)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
