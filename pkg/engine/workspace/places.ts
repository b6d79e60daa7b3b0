// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { apiError, type PermissionRule } from "@blitz/api";
import type { Config } from "@blitz/config";
import { readDenied } from "./starting-rules.js";

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

/** What files and commands of a workspace may touch beside it, and what nothing may. */
export interface Reach {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Patterns of FS-10. */
  readonly blocked: readonly string[];
}

/** The reach by settings, rules and what is Blitz's own; `more` are the host's blocked paths. */
export function reachOf(
  about: { readonly config: Config; readonly home: string; readonly state: string; readonly workspace: string },
  rules: readonly PermissionRule[],
  more: readonly string[],
): Reach {
  const { config, home, state, workspace } = about;
  return {
    writable: settingPaths(config.sandbox.allowed_paths, home, workspace),
    readOnly: settingPaths(config.sandbox.read_only_paths, home, workspace),
    blocked: [...config.sandbox.blocked_paths, ...blockedState(state), ...more, ...readDenied(rules)],
  };
}

/** Paths of settings: `~` is the home directory, relative ones start at the workspace (CFG-05). */
function settingPaths(paths: readonly string[], home: string, workspace: string): string[] {
  return paths.map((one) =>
    path.resolve(workspace, one === "~" || one.startsWith("~/") ? path.join(home, one.slice(1)) : one),
  );
}

/** Blitz's own secrets and socket: never the agent's, wherever the roots are (SH-66). */
function blockedState(state: string): string[] {
  return ["run", "secrets.toml", ".env.toml", "approvals.json", "trust.json"].map((name) => path.join(state, name));
}
