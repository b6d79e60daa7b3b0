// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpathSync } from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { isReason } from "@blitz/api";
import { type Config, loadConfig } from "@blitz/config";
import type { OpenOptions, Workspace } from "@blitz/engine";
import { createLog, type Log } from "@blitz/observability";
import { createRedactor } from "@blitz/redact";
import { openListener } from "@blitz/socket/listen";
import { createBackgroundRuns, type HostedRuns } from "./background-runs.js";
import type { Server } from "./server/index.js";
import { readServiceFacts } from "./service-facts.js";
import { waitingWorkspaces } from "./waiting.js";
import { createWorkspaces, type Workspaces } from "./workspaces.js";

/** How a service is started. All paths are absolute. */
export interface ServiceOptions {
  readonly endpoint: string;
  /** The settings directory. */
  readonly configDir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** The program's file. */
  readonly executable: string;
  /** Told what a person at the terminal should know. */
  readonly warn: (text: string) => void;
}

/** A running service. */
export interface Service {
  readonly endpoint: string;
  readonly log: Log;
  /** Resolves when somebody asks for the stop over the API. */
  readonly stopAsked: Promise<void>;
  /**
   * Stops: no new calls, up to ten seconds for those going on, then every workspace is closed; turns
   * that wait for a person are left for the next service (SVC-04, 25). Idempotent.
   */
  stop(): Promise<void>;
}

/** How long running turns get when the service stops, and after them the calls that are answered just then. */
const GRACE_MS: number = 10_000;
const ANSWERS_MS: number = 500;

/**
 * Starts the service: when this resolves, it accepts; the first calls wait a moment for the rest to be
 * loaded. What an earlier one left waiting is taken up right after (SVC-25).
 *
 * @throws ListenError when the endpoint can't be had; ApiError `CONFIG_INVALID`
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, warnings } = await loadConfig({ dir: options.configDir, home: options.home, env: options.env });
  for (const warning of warnings) options.warn(warning);
  const log = openLog(options, config);
  const workspaces = createWorkspaces({ open: (dir) => openHosted(options, log, dir), log });
  const background = createBackgroundRuns({
    workspaces,
    file: path.join(options.home, ".blitz", "run", "background.json"),
    now: () => new Date(),
    log,
  });
  const facts = await readServiceFacts({
    version: options.version,
    executable: options.executable,
    started: new Date(),
    pid: process.pid,
  });
  const stopAsked = Promise.withResolvers<void>();
  const arrival = createArrival();
  const listener = await openListener(options.endpoint, { onConnection: arrival.onConnection });
  listener.server.on("error", (error) => log.error("accepting connections failed", { error }));
  const deps = { workspaces, background, facts, log, logDir: config.log.dir, stop: stopAsked.resolve };
  const serving = import("./serving.js").then(({ createServing }) => createServing(deps, log));
  arrival.handTo(serving);
  log.info("service started", { version: options.version, endpoint: options.endpoint, pid: process.pid });
  const takenUp = takeUp(config, workspaces, background, log);

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    log.info("service stopping");
    await listener.close();
    await takenUp;
    await workspaces.windDown(GRACE_MS);
    await (await serving).stop(ANSWERS_MS);
    await workspaces.closeAll();
    await background.close();
    log.info("service stopped");
    await log.close();
  };
  return {
    endpoint: options.endpoint,
    log,
    stopAsked: stopAsked.promise,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Keeps connections until there is a server to hand them to. */
function createArrival(): {
  readonly onConnection: (socket: Socket) => void;
  readonly handTo: (serving: Promise<Pick<Server, "onConnection">>) => void;
} {
  const given = Promise.withResolvers<Pick<Server, "onConnection">>();
  return {
    onConnection: (socket) => {
      socket.on("error", () => undefined); // whoever only looks whether somebody answers is gone by now
      given.promise.then(
        (server) => server.onConnection(socket),
        () => socket.destroy(),
      );
    },
    handTo: given.resolve,
  };
}

function openLog({ env, warn }: ServiceOptions, config: Config): Log {
  const { level, dir, retain_days: retainDays } = config.log;
  const keys = [config.llm.anthropic.api_key, config.llm.gemini.api_key, config.llm.openai.api_key];
  const redact = createRedactor(keys).text;
  return createLog({ dir, level: env["BLITZ_LOG_LEVEL"] ?? level, retainDays, redact, warn });
}

/** Opens a workspace with settings of its own, read anew (SVC-10). */
async function openHosted(options: ServiceOptions, log: Log, dir: string): Promise<Workspace> {
  const { home, env, configDir, endpoint } = options;
  const { config, warnings } = await loadConfig({ dir: configDir, workspace: dir, home, env });
  const warn = (text: string): void => log.warn(text, { workspace: dir });
  for (const warning of warnings) warn(warning);
  return await openWorkspaceOf({ dir, home, config, env, warn, isHosted: true, blocked: [realParent(endpoint)] });
}

async function openWorkspaceOf(options: OpenOptions): Promise<Workspace> {
  const { openWorkspace } = await import("@blitz/engine");
  return await openWorkspace(options);
}

/** The socket by the real path of its folder: what blocks it goes by real paths. */
function realParent(endpoint: string): string {
  try {
    return path.join(realpathSync(path.dirname(endpoint)), path.basename(endpoint));
  } catch {
    return endpoint; // a pipe's name
  }
}

/** Opens the workspaces in which a turn waits for a person, and lists background runs again (SVC-24, 25). */
async function takeUp(config: Config, workspaces: Workspaces, background: HostedRuns, log: Log): Promise<void> {
  try {
    for (const dir of await waitingWorkspaces(config.session.storage_dir)) {
      await workspaces.get(dir).catch((error: unknown) => {
        if (!isReason(error, "SHUTTING_DOWN"))
          log.warn("a turn waits where nothing can be opened", { workspace: dir, error });
      });
    }
    await background.restore();
  } catch (error) {
    log.error("what an earlier service left can't be taken up", { error });
  }
}
