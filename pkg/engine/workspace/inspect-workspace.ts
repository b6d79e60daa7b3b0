// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { type PermissionMode, type PermissionRule, parsePermissionMode } from "@blitz/api";
import { loadAgents } from "../agents/index.js";
import type { SandboxStatus } from "../exec/index.js";
import { loadMemory, type Memory } from "../memory/index.js";
import { parseRule } from "../rules/index.js";
import { execOptions } from "./exec-options.js";
import { type InspectedModel, inspectModels } from "./inspect-models.js";
import { type Holder, lockHolder } from "./lock.js";
import type { OpenOptions } from "./open-options.js";
import { canonicalWorkspace, reachOf } from "./places.js";
import { openSandboxedFiles } from "./sandboxed-files.js";
import { startingRules } from "./starting-rules.js";

/** What can be known of a workspace without opening it. Each part is looked at when it is asked for. */
export interface Inspection {
  /**
   * The workspace's canonical folder, if nothing of the settings keeps it from opening.
   *
   * @throws ApiError `INVALID_WORKSPACE` `CONFIG_INVALID` `UNKNOWN_AGENT`
   */
  folder(): Promise<string>;
  /** The process that has it open; the lock isn't touched. */
  holder(): Promise<Holder | undefined>;
  /** Every model of the settings, built alone. */
  models(): Promise<readonly InspectedModel[]>;
  /**
   * The mode and the rules a session starts with.
   *
   * @throws ApiError `BAD_RULE`
   */
  permissions(): { readonly mode: PermissionMode; readonly rules: readonly PermissionRule[] };
  /**
   * Tries the OS sandbox, once.
   *
   * @throws ApiError `SANDBOX_UNAVAILABLE` when the settings require one
   */
  sandbox(): Promise<SandboxStatus>;
  /** Instruction files, read as a session would. */
  instructions(): Promise<Memory>;
}

/**
 * Looks at a workspace without opening it, for `doctor` (CLI-51): no lock is taken, nothing is written, no model is
 * asked and no command runs but the sandbox's own test.
 */
export function inspectWorkspace(options: Pick<OpenOptions, "dir" | "home" | "config" | "env" | "now">): Inspection {
  const { config, home, env } = options;
  const state = path.join(home, ".blitz");
  const rules = startingRules(config, { allow: [], deny: [] });
  const look = async () => {
    const workspace = await canonicalWorkspace(options.dir);
    const about = { config, home, state, env, workspace };
    const reach = reachOf(about, rules, []);
    return { about, reach, files: await openSandboxedFiles(about, reach) };
  };
  let looking: ReturnType<typeof look> | undefined;
  const seen = async () => await (looking ??= look());
  let models: ReturnType<typeof inspectModels> | undefined;
  return {
    folder: async () => {
      loadAgents().get(config.blitz.default_agent);
      return (await seen()).about.workspace;
    },
    holder: async () => await lockHolder(path.join(state, "locks"), await canonicalWorkspace(options.dir)),
    models: async () => await (models ??= inspectModels(options, options.now ?? (() => new Date()))),
    permissions: () => {
      for (const { effect, rule } of rules) parseRule(effect, rule);
      return { mode: parsePermissionMode(config.blitz.auto_approve ? "bypass" : config.blitz.permission_mode), rules };
    },
    sandbox: async () => {
      const { about, reach } = await seen();
      const { createExec } = await import("../exec/index.js");
      await using exec = await createExec(execOptions({ ...about, ...reach }));
      return exec.status();
    },
    instructions: async () => {
      const { about, files } = await seen();
      return await loadMemory({ ...about, config: config.memory, isBlocked: files.isBlocked });
    },
  };
}
