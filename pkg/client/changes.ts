// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Changes } from "@blitz/api";
import { checkpointFromWire, errorInfoFromWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** Undoing what prompts changed, in the service. */
export function createRemoteChanges({ workspaces, workspace }: Pick<RemoteDeps, "workspaces" | "workspace">): Changes {
  return {
    listCheckpoints: async () => {
      const { checkpoints } = await answered(workspaces.listCheckpoints({ workspace }));
      return checkpoints.map(checkpointFromWire);
    },
    undo: async (force) => {
      const { label, restored, error } = await answered(workspaces.undo({ workspace, force }));
      return { label, restored, ...(error === undefined ? {} : { error: errorInfoFromWire(error) }) };
    },
    sessionDiff: async () => (await answered(workspaces.getDiff({ workspace }))).diff,
  };
}
