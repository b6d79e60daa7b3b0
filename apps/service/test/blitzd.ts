// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Backend } from "@blitz/api";
import { attach, openService, type ServiceClient } from "@blitz/client";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";

/** The program under test: compiled beside this file by Bazel, the bundle elsewhere. */
const compiled: string = path.join(import.meta.dirname, "..", "src", "main.js");
const PROGRAM: string = existsSync(compiled)
  ? compiled
  : path.join(import.meta.dirname, "..", "..", "..", "dist", "service", "blitzd.mjs");

/** Whether an OS sandbox works here; see the same in the tests of the command line program. */
export const HAS_SANDBOX: boolean =
  process.platform === "darwin" ||
  process.env["BLITZ_TEST_SANDBOX"] === "required" ||
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]).status === 0;

/** A home, a workspace and a fake provider, for services started one after the other. */
export interface Place extends AsyncDisposable {
  readonly base: string;
  readonly home: string;
  readonly ws: string;
  readonly cfg: string;
  readonly endpoint: string;
  readonly fake: FakeProvider;
  put(name: string, text: string): void;
  get(name: string): string;
  has(name: string): boolean;
  /** Writes the settings, with more lines before the provider's. */
  configure(more?: string): void;
  /** Environment of a program started here: no key of the developer's. */
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a place of its own for a test. */
export async function createPlace(): Promise<Place> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitzd-")));
  const [home, ws, cfg] = ["home", "ws", "cfg"].map((name) => path.join(base, name)) as [string, string, string];
  for (const dir of [home, ws, cfg]) mkdirSync(dir);
  const fake = await startFakeProvider();
  const configure = (more = ""): void =>
    writeFileSync(
      path.join(cfg, ".env.toml"),
      `${more}\n[llm]\nprovider = "anthropic"\nmax_retries = 0\n[llm.anthropic]\napi_key = "test-key-0000000000"\nfallbacks = "off"\nmodel = "fake-model"\nbase_url = "${fake.url}"\n`,
    );
  configure();
  const sandbox: Record<string, string> = HAS_SANDBOX ? {} : { BLITZ_SANDBOX_SHELL: "off" };
  return {
    base,
    home,
    ws,
    cfg,
    endpoint: path.join(home, ".blitz", "run", "blitz.sock"),
    fake,
    put: (name, text) => writeFileSync(path.join(ws, name), text),
    get: (name) => readFileSync(path.join(ws, name), "utf8"),
    has: (name) => existsSync(path.join(ws, name)),
    configure,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...sandbox },
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** How a service ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A service process; disposing kills it. */
export interface Blitzd extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly done: Promise<Ended>;
  /** Resolves when it listens; rejects when it ends instead. */
  readonly ready: Promise<void>;
  kill(signal: NodeJS.Signals): Promise<Ended>;
}

/** Starts a service in a place. */
export function startBlitzd(place: Place, args: readonly string[] = []): Blitzd {
  const child = spawn(process.execPath, [PROGRAM, "--config", place.cfg, ...args], {
    cwd: place.base,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  const listening = Promise.withResolvers<void>();
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
    if (stderr.includes("listening on ")) listening.resolve();
  });
  const done = (async (): Promise<Ended> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    listening.reject(new Error(`blitzd ended with ${code ?? signal}: ${stderr}`));
    return { code, signal, stderr };
  })();
  listening.promise.catch(() => undefined); // whoever waits for it is told
  const kill = async (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return await done;
  };
  return {
    child,
    done,
    ready: listening.promise,
    kill,
    [Symbol.asyncDispose]: async () => void (await kill("SIGKILL")),
  };
}

/** A front end attached to a place's service. */
export async function attachTo(place: Place, client: string = "script;test"): Promise<Backend> {
  const { endpoint, ws } = place;
  return await attach({ endpoint, dir: ws, client, warn: () => undefined });
}

/** The service's own operations. */
export function serviceOf(place: Place, client: string = "script;test"): ServiceClient {
  return openService({ endpoint: place.endpoint, client });
}

/** Waits until something is so, looking each time the event loop comes round. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
