// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Ui } from "@blitz/api";
import { SessionService } from "@blitz/proto/session";
import { WorkspaceService } from "@blitz/proto/workspace";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import type { Reconnect } from "./reconnect.js";

/** The service's operations, as they are called over the wire. */
export interface Calls {
  readonly sessions: Client<typeof SessionService>;
  readonly workspaces: Client<typeof WorkspaceService>;
}

/** Calls over a transport. */
export function createCalls(transport: Transport): Calls {
  return { sessions: createClient(SessionService, transport), workspaces: createClient(WorkspaceService, transport) };
}

/** What the operations of a workspace in the service need. */
export interface RemoteDeps extends Calls, Reconnect {
  /** The workspace: every request names it (PRT-01). */
  readonly workspace: string;
  /** Told what an operation without an error to report met (CL-07). */
  readonly warn: (text: string) => void;
  readonly ui: () => Ui | undefined;
  /** Aborts when the backend is closed: its streams end, the turns go on. */
  readonly closing: AbortSignal;
}
