// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The agent's shell: judged, approved, confined, in that order (07). Background processes come later. */
export type { CommandJudgement, ShellToolDeps } from "./run-shell-command.js";
export { shellTools } from "./shell-tools.js";
