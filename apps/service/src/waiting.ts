// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdir } from "node:fs/promises";

/** The directories of workspaces with a turn that waits for a person (SVC-25). Loads the engine only when there is one. */
export async function waitingWorkspaces(storageDir: string): Promise<readonly string[]> {
  const names = await readdir(storageDir).catch(() => []); // no session was ever saved
  if (!names.some((name) => name.endsWith(".turn.json"))) return [];
  const engine = await import("@blitz/engine");
  return await engine.waitingWorkspaces(storageDir);
}
