// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { SessionService } from "@blitz/proto/session";
import { WorkspaceService } from "@blitz/proto/workspace";
import type { HandlerDeps } from "./handlers/context.js";
import { createSessionService } from "./handlers/session-service.js";
import { createWorkspaceService } from "./handlers/workspace-service.js";
import { createServer, type Server, type ServerLog } from "./server/index.js";

/**
 * The server with its handlers. A file of its own because it is loaded when the socket is there already:
 * protocol buffers and Connect are most of what starting takes.
 */
export function createServing(deps: Omit<HandlerDeps, "stopping">, log: ServerLog): Server {
  const server: Server = createServer({
    log,
    routes: (router) => {
      const handlers: HandlerDeps = { ...deps, stopping: server.stopping };
      router.service(SessionService, createSessionService(handlers));
      router.service(WorkspaceService, createWorkspaceService(handlers));
    },
  });
  return server;
}
