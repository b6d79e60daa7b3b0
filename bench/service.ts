// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Measures blitzd beside a bare Node HTTP server on the same Node: ready, memory, calls, relayed events.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { request as httpRequest, Agent } from "node:http";
import path from "node:path";
import type { Backend } from "@blitz/api";
import { attach, openService } from "@blitz/client";
import { loadConfig } from "@blitz/config";
import { openWorkspace } from "@blitz/engine";
import type { FakeProvider } from "@blitz/fakeprovider";
import { median } from "./run-program.ts";

/** Where the measured programs run. */
export interface ServicePlace {
  readonly root: string;
  readonly scratch: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly provider: FakeProvider;
}

/** What was measured, by the name of its row. */
export interface ServiceFigures {
  /** Start → it accepts connections, and → the first call is answered. */
  readonly listeningMs: number;
  readonly answeredMs: number;
  /** Resident memory in MB when nothing happens: a bare server, the service with one workspace, with twenty. */
  readonly bareMb: number;
  readonly idleMb: number;
  readonly twentyMb: number;
  /** One call and its answer. */
  readonly bareCallMs: number;
  readonly callMs: number;
  /** A turn of thousands of events, in this process and over the service: time per event, and events a second. */
  readonly localEventMs: number;
  readonly eventMs: number;
  readonly eventsPerSecond: number;
}

const NODE: string = process.execPath;

interface Started {
  readonly child: ChildProcess;
  readonly readyMs: number;
}

/** Starts a program that says when it listens. */
async function start(args: readonly string[], env: ServicePlace["env"]): Promise<Started> {
  const begun = performance.now();
  const child = spawn(NODE, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  await once(child.stderr as NodeJS.ReadableStream, "data");
  return { child, readyMs: performance.now() - begun };
}

async function stop({ child }: Started): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Resident memory of a process that has been left alone for a while, in MB. */
async function restingMb({ child }: Started): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/** The median time of a call, after some that warm both sides up. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 50; i++) await call();
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return median(times);
}

function bareCall(socketPath: string): () => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  return async () => {
    const sent = httpRequest({ agent, socketPath, method: "POST", path: "/" });
    sent.end("{}");
    const [response] = (await once(sent, "response")) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, "end");
  };
}

/** A workspace in this process, beside which the service's events are measured. */
async function openHere({ scratch, config: dir, env }: ServicePlace, workspace: string): Promise<Backend> {
  const home = path.join(scratch, "home-here");
  mkdirSync(home);
  const { config } = await loadConfig({ dir, workspace, home, env });
  return await openWorkspace({ dir: workspace, home, config, env, warn: () => undefined });
}

const PIECES = 1_000;

/**
 * The time of one event of a turn that tells as many as it can: text and thoughts in turn, so that no two
 * pieces are told as one.
 */
async function eventTimes(
  provider: FakeProvider,
  backend: Backend,
): Promise<{ perEventMs: number; perSecond: number }> {
  const parts = Array.from({ length: PIECES }, (_one, at) =>
    at % 2 === 0
      ? { type: "thinking" as const, text: `thought ${at}`, signature: "s" }
      : { type: "text" as const, text: `word ${at}` },
  );
  provider.script({ parts, usage: { input: 100, output: 10 }, deltaLength: 1_000 });
  const { id } = await backend.newSession();
  let events = 0;
  let begun = 0;
  const onEvent = (): void => {
    begun ||= performance.now();
    events += 1;
  };
  await backend.run(id, { text: "go" }, { onEvent });
  const took = performance.now() - begun;
  return { perEventMs: took / events, perSecond: (events / took) * 1_000 };
}

/** Measures once; `rounds` starts for the time to be ready. */
export async function measureService(place: ServicePlace, rounds: number): Promise<ServiceFigures> {
  const { root, scratch, config, env, provider } = place;
  const blitzd = [path.join(root, "dist", "service", "blitzd.mjs"), "--config", config];
  const endpoint = path.join(env["HOME"] ?? scratch, ".blitz", "run", "blitz.sock");
  const workspaces = Array.from({ length: 20 }, (_one, at) => path.join(scratch, `ws-${at}`));
  for (const dir of workspaces) mkdirSync(dir);

  await stop(await start(blitzd, env)); // fills the compile cache
  const listening: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const started = await start(blitzd, env);
    const client = openService({ endpoint, client: "script;bench" });
    await client.info();
    listening.push(started.readyMs);
    answered.push(performance.now() - begun);
    client.close();
    await stop(started);
  }

  const bareSocket = path.join(scratch, "bare.sock");
  const bare = await start([path.join(root, "bench", "bare-server.mjs"), bareSocket], env);
  const bareMb = await restingMb(bare);
  const bareCallMs = await timeOf(bareCall(bareSocket));
  await stop(bare);

  const service = await start(blitzd, env);
  const open = async (dir: string) => await attach({ endpoint, dir, client: "script;bench", warn: () => undefined });
  const first = await open(workspaces[0] ?? scratch);
  const idleMb = await restingMb(service);
  for (const dir of workspaces.slice(1)) await (await open(dir)).close();
  const twentyMb = await restingMb(service);
  const callMs = await timeOf(() => first.settings());

  const overService: number[] = [];
  const inProcess: number[] = [];
  let eventsPerSecond = 0;
  const local = await openHere(place, workspaces[0] ?? scratch);
  for (let round = 0; round < Math.max(3, rounds); round++) {
    inProcess.push((await eventTimes(provider, local)).perEventMs);
    const served = await eventTimes(provider, first);
    overService.push(served.perEventMs);
    eventsPerSecond = Math.max(eventsPerSecond, served.perSecond);
  }
  await local.close();
  await first.close();
  await stop(service);
  const [localEventMs, eventMs] = [median(inProcess), median(overService)];
  return {
    listeningMs: median(listening),
    answeredMs: median(answered),
    bareMb,
    idleMb,
    twentyMb,
    bareCallMs,
    callMs,
    localEventMs,
    eventMs,
    eventsPerSecond,
  };
}
