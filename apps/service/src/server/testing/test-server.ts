// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { SessionService } from "@blitz/proto/session";
import { WorkspaceService } from "@blitz/proto/workspace";
import type { ServiceImpl } from "@connectrpc/connect";
import { createServer, type Server, type ServerOptions } from "../server.js";

/** The calls a test answers. */
export type Implementation = Partial<ServiceImpl<typeof WorkspaceService>> &
  Partial<Pick<ServiceImpl<typeof SessionService>, "watchSession" | "steer">>;

/** A server somebody can connect to. */
export interface TestServer {
  readonly socketPath: string;
  readonly server: Server;
  /** What it logged: level, message, and the error's message. */
  readonly logged: readonly string[];
  /** Connections it has. */
  connections(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves on a socket of its own, which goes with it. */
export async function startTestServer(
  calls: Implementation,
  limits: Partial<Pick<ServerOptions, "maxBodyBytes" | "headerTimeoutMs">> = {},
): Promise<TestServer> {
  const dir = mkdtempSync(path.join(tmpdir(), "blitz-server-"));
  const socketPath = path.join(dir, "s.sock");
  const logged: string[] = [];
  const note =
    (level: string) =>
    (message: string, attributes: Readonly<Record<string, unknown>> = {}): void => {
      const { error } = attributes;
      logged.push(`${level}: ${message}: ${error instanceof Error ? error.message : String(error)}`);
    };
  const server = createServer({
    routes: (router) => void router.service(WorkspaceService, calls).service(SessionService, calls),
    log: { warn: note("warn"), error: note("error") },
    ...limits,
  });
  const listener = createNetServer({ allowHalfOpen: true }, server.onConnection);
  listener.listen(socketPath);
  await once(listener, "listening");
  return {
    socketPath,
    server,
    logged,
    connections: () =>
      new Promise((resolve, reject) => {
        listener.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await server.stop(0);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
