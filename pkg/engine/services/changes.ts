// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Changes } from "@blitz/api";
import type { Checkpoints } from "../checkpoints/index.js";
import type { SessionStore } from "../session/index.js";

/** What undoing needs. */
export interface ChangesServiceDeps {
  readonly checkpoints: Checkpoints;
  readonly store: SessionStore;
  readonly audit: { write(entry: { readonly kind: "undo"; readonly detail: string }): void };
}

/** Checkpoints, undo and the session's diff (06 §6). */
export function createChangesService({ checkpoints, store, audit }: ChangesServiceDeps): Changes {
  return {
    listCheckpoints: async () => checkpoints.list(),
    undo: async (force) => {
      const done = await checkpoints.undo(force);
      audit.write({ kind: "undo", detail: done.restored.join(", ") });
      return done;
    },
    sessionDiff: async () => await checkpoints.sessionDiff(store.active()?.id ?? ""),
  };
}
