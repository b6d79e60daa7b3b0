// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Tool } from "../call/index.js";
import { runShellCommand, type ShellToolDeps } from "./run-shell-command.js";

/** The tools that run commands. */
export function shellTools(deps: ShellToolDeps): Tool[] {
  return [runShellCommand(deps)];
}
