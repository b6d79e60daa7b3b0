// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { HandlerContext } from "@connectrpc/connect";
import type { Workspace } from "@blitz/engine";
import type { Log } from "@blitz/observability";
import type { HostedRuns } from "../background-runs.js";
import type { ServiceFacts } from "../service-facts.js";
import type { Workspaces } from "../workspaces.js";

/** What the handlers translate to. They decide nothing (PRT-04). */
export interface HandlerDeps {
  readonly workspaces: Workspaces;
  readonly background: HostedRuns;
  readonly facts: ServiceFacts;
  readonly log: Pick<Log, "error">;
  /** `log.dir`. */
  readonly logDir: string;
  /** Aborts when the service stops: open streams end. */
  readonly stopping: AbortSignal;
  /** Stops the service after the answer is out; absent where it can't be stopped this way. */
  readonly stop?: () => void;
}

/** The workspace a request names, opened if it isn't (PRT-01). */
export async function workspaceOf(
  deps: HandlerDeps,
  request: { readonly workspace: string },
  context: HandlerContext,
): Promise<Workspace> {
  return await deps.workspaces.get(request.workspace, context.signal);
}
