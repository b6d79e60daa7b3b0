// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Context } from "@blitz/api";
import { usageFromWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";
import { orWarn } from "./or-warn.js";

/** What the context holds, in the service. */
export function createRemoteContext({
  sessions,
  workspaces,
  workspace,
  warn,
}: Pick<RemoteDeps, "sessions" | "workspaces" | "workspace" | "warn">): Context {
  return {
    usage: async () => usageFromWire((await answered(sessions.getUsage({ workspace }))).usage),
    memoryFiles: async () =>
      await orWarn(warn, "the instruction files can't be listed", async () => {
        const { paths } = await answered(workspaces.listMemoryFiles({ workspace }));
        return paths;
      }),
  };
}
