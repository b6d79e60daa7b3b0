// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath } from "node:fs/promises";
import type { Backend, Request } from "@blitz/api";
import type { RunningService } from "./running-service.js";

/** A request that waits for a person, and the workspace it is in. */
export interface WaitingRequest {
  readonly request: Request;
  readonly workspace: string;
  readonly backend: Pick<Backend, "answerRequest">;
}

/** The open workspaces to look in: this directory's, or all without one; none is opened for looking. */
export async function openWorkspaces({ service }: RunningService, dir: string | undefined): Promise<readonly string[]> {
  const open = await service.listWorkspaces();
  if (dir === undefined) return open;
  const real = await realpath(dir);
  return open.filter((one) => one === real);
}

/** What waits now in a directory's workspace, or in all open ones, oldest first. */
export async function waitingRequests(
  running: RunningService,
  dir: string | undefined,
): Promise<readonly WaitingRequest[]> {
  const found = await Promise.all(
    (await openWorkspaces(running, dir)).map(async (workspace) => {
      const backend = await running.workspace(workspace);
      const requests = await backend.pendingRequests();
      return requests.map((request) => ({ request, workspace, backend }));
    }),
  );
  return found.flat().toSorted((a, b) => a.request.created.getTime() - b.request.created.getTime());
}
