// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Child processes of the agent: scrubbed environment, a group that dies with Blitz, bounded output, and
 * the OS sandbox, which is the boundary for commands (07 §3, 4). Background processes come later.
 */
export type { Environment } from "./environment.js";
export { type CommandRequest, createExec, type Exec, type ExecOptions } from "./exec.js";
export { GIT_READ_ONLY_ENVIRONMENT, isGitGuarded } from "./git-guard.js";
export type { CommandResult } from "./run-guarded.js";
export type { SandboxMode, SandboxOptions, SandboxStatus } from "./sandbox/os-sandbox.js";
