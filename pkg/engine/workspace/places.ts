// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { apiError } from "@blitz/api";

/**
 * The canonical directory of a workspace.
 *
 * @throws ApiError `INVALID_WORKSPACE` when it isn't a directory that can be entered
 */
export async function canonicalWorkspace(dir: string): Promise<string> {
  try {
    const real = await realpath(dir);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw apiError(
      "INVALID_WORKSPACE",
      `${dir} can't be opened: ${(error as Error).message}`,
      { workspace: dir },
      error,
    );
  }
  throw apiError("INVALID_WORKSPACE", `${dir} is not a directory`, { workspace: dir });
}

/** Paths of settings: `~` is the home directory, relative ones start at the workspace (CFG-05). */
export function settingPaths(paths: readonly string[], home: string, workspace: string): string[] {
  return paths.map((one) =>
    path.resolve(workspace, one === "~" || one.startsWith("~/") ? path.join(home, one.slice(1)) : one),
  );
}

/** Blitz's own secrets and socket: never the agent's, wherever the roots are (SH-66). */
export function blockedState(state: string): string[] {
  return ["run", "secrets.toml", ".env.toml", "approvals.json", "trust.json"].map((name) => path.join(state, name));
}
