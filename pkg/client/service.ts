// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { BackgroundRuns } from "@blitz/api";
import { requiredDate, textToWire } from "@blitz/wire";
import type { Transport } from "@connectrpc/connect";
import { createRemoteBackgroundRuns } from "./background-runs.js";
import { answered, RECONNECT, type Reconnect } from "./reconnect.js";
import { createCalls } from "./remote.js";
import { createUnixTransport } from "./unix-transport.js";

/** What a service is (SVC-06). */
export interface ServiceInfo {
  readonly version: string;
  /** The program's path. */
  readonly executable: string;
  readonly started: Date;
  readonly pid: number;
  /** The program file is no longer the one started from: a restart brings the new one. */
  readonly replaced: boolean;
}

/** Which records of the service's log. */
export interface LogQuery {
  /** `YYYY-MM-DD`; absent = the newest. */
  readonly day?: string;
  /** `debug`, `info`, `warn` or `error`; absent = all. */
  readonly minLevel?: string;
  /** Words that must all be in a record. */
  readonly text?: string;
  /** Most records; absent = 500. */
  readonly limit?: number;
}

/** Records of one day, newest first; `matched` counts those not sent too. */
export interface LogPage {
  readonly day: string;
  readonly path: string;
  readonly entries: readonly LogRecord[];
  readonly matched: number;
}

/** One record of the service's log. */
export interface LogRecord {
  readonly time: Date;
  readonly level: string;
  readonly message: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

/** A service itself: what isn't one workspace's. */
export interface ServiceClient extends BackgroundRuns {
  /** @throws ApiError `SERVICE_UNAVAILABLE`, which says so when the service is older than this call */
  info(): Promise<ServiceInfo>;
  /** Newest first, and the log's folder. */
  logDays(): Promise<{ readonly days: readonly string[]; readonly dir: string }>;
  readLog(query: LogQuery): Promise<LogPage>;
  /** Resolves when the service has taken it up; it stops after that. */
  shutdown(): Promise<void>;
  /** Sorted directories. */
  listWorkspaces(): Promise<readonly string[]>;
  /** One that isn't open is fine; `TURN_RUNNING`. */
  closeWorkspace(dir: string): Promise<void>;
  /** Ends this client's watches and lets go of its connections; idempotent. */
  close(): void;
}

/** Which service, and who asks. */
export interface ServiceOptions {
  /** The socket's path, or a named pipe's on Windows. */
  readonly endpoint: string;
  /** How this client names itself: `<kind>;<label>`, e.g. `cli;pts/3` (PRT-08). */
  readonly client: string;
}

/** The service that listens at an endpoint. Nothing is sent yet: the first operation says whether it answers. */
export function openService({ endpoint, client }: ServiceOptions): ServiceClient {
  const { transport, close } = createUnixTransport(endpoint, client);
  const service = createServiceClient(transport);
  const closeAll = (): void => {
    service.close();
    close();
  };
  return { ...service, close: closeAll };
}

/** The same over any transport. */
export function createServiceClient(transport: Transport, reconnect: Reconnect = RECONNECT): ServiceClient {
  const { sessions, workspaces } = createCalls(transport);
  const closing = new AbortController();
  return {
    ...createRemoteBackgroundRuns({ sessions, closing: closing.signal, ...reconnect }),
    close: () => closing.abort(),
    info: async () => {
      const { version, executable, started, pid, replaced } = await answered(workspaces.getServiceInfo({}));
      return { version, executable, started: requiredDate(started), pid, replaced };
    },
    logDays: async () => {
      const { days, dir } = await answered(workspaces.listLogDays({}));
      return { days, dir };
    },
    readLog: async ({ day = "", minLevel = "", text = "", limit = 0 }) => {
      const request = { day: textToWire(day), minLevel: textToWire(minLevel), text: textToWire(text), limit };
      const { entries, ...page } = await answered(workspaces.readLog(request));
      return {
        day: page.day,
        path: page.path,
        matched: page.matched,
        entries: entries.map(({ time, level, message, attrs }) => ({
          time: requiredDate(time),
          level,
          message,
          attributes: attrs.map(({ key, value }) => ({ key, value })),
        })),
      };
    },
    shutdown: async () => {
      await answered(workspaces.shutdown({}));
    },
    listWorkspaces: async () => (await answered(workspaces.listWorkspaces({}))).workspaces,
    closeWorkspace: async (dir) => {
      await answered(workspaces.closeWorkspace({ workspace: textToWire(dir) }));
    },
  };
}
