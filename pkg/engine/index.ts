// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Blitz without a user interface: `openWorkspace` builds the engine for one project directory and
 * returns it as the contract's `Backend`. `inspectWorkspace` says what would come of that, and opens
 * nothing. It never prints, and rejects with typed errors only.
 */
export {
  type InspectedModel,
  type Inspection,
  inspectWorkspace,
  type OpenOptions,
  openWorkspace,
  waitingWorkspaces,
  type Workspace,
} from "./workspace/index.js";
