// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Context } from "@blitz/api";
import type { SessionStore } from "../session/index.js";

/** What the context holds: usage of the active session, and the instruction files. */
export function createContextService(store: SessionStore, memoryFiles: () => Promise<readonly string[]>): Context {
  return {
    usage: async () => {
      const session = store.active();
      if (session === undefined) throw apiError("NO_ACTIVE_SESSION", "no session is open", {});
      return session.meta.usage;
    },
    memoryFiles,
  };
}
