// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend, Ui } from "@blitz/api";
import { textToWire } from "@blitz/wire";
import type { Transport } from "@connectrpc/connect";
import { createRemoteAgents } from "./agents.js";
import { createRemoteChanges } from "./changes.js";
import { createRemoteContext } from "./context.js";
import { createRemoteLifecycle } from "./lifecycle.js";
import { createRemoteModels } from "./models.js";
import { createRemotePermissions } from "./permissions.js";
import { answered, RECONNECT, type Reconnect } from "./reconnect.js";
import { createCalls, type RemoteDeps } from "./remote.js";
import { createRemoteRequests } from "./requests.js";
import { createRemoteSessions } from "./sessions.js";
import { createRemoteSettings } from "./settings.js";
import { createRemoteTurns } from "./turns.js";
import type { ServiceOptions } from "./service.js";
import { createUnixTransport } from "./unix-transport.js";

/** Which workspace of which service. */
export interface AttachOptions extends ServiceOptions {
  /** The workspace's directory, absolute. */
  readonly dir: string;
  /** Told what operations without an error to report met (CL-07). */
  readonly warn: (text: string) => void;
}

/**
 * A workspace in the service that listens at an endpoint, opened there if it isn't (CL-01).
 *
 * @throws ApiError `SERVICE_UNAVAILABLE` when nothing answers; `INVALID_WORKSPACE`, `WORKSPACE_BUSY`, `OPEN_FAILED`,
 *   `SHUTTING_DOWN`
 */
export async function attach({ endpoint, client, dir, warn }: AttachOptions): Promise<Backend> {
  const { transport, close } = createUnixTransport(endpoint, client);
  try {
    const backend = await attachTransport(transport, dir, warn);
    const closeAll = async (): Promise<void> => {
      await backend.close();
      close();
    };
    return { ...backend, close: closeAll };
  } catch (error) {
    close();
    throw error;
  }
}

/** The same over any transport. */
export async function attachTransport(
  transport: Transport,
  dir: string,
  warn: (text: string) => void,
  reconnect: Reconnect = RECONNECT,
): Promise<Backend> {
  let ui: Ui | undefined;
  const closing = new AbortController();
  const deps: RemoteDeps = {
    ...createCalls(transport),
    ...reconnect,
    workspace: textToWire(dir),
    warn,
    ui: () => ui,
    closing: closing.signal,
  };
  await answered(deps.workspaces.getModel({ workspace: deps.workspace })); // opens it, whatever its model is
  const setUi = (given: Ui | undefined): void => {
    ui = given;
  };
  return {
    ...createRemoteLifecycle({ ...deps, dir, setUi, close: () => closing.abort() }),
    ...createRemoteTurns(deps),
    ...createRemoteRequests(deps),
    ...createRemoteSessions(deps),
    ...createRemoteChanges(deps),
    ...createRemoteAgents(deps),
    ...createRemoteModels(deps),
    ...createRemoteSettings(deps),
    ...createRemotePermissions(deps),
    ...createRemoteContext(deps),
  } satisfies Backend;
}
