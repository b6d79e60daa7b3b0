// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Opening a project: lock, order, wiring, closing. */
export { waitingWorkspaces } from "../session/index.js";
export type { OpenOptions, Workspace } from "./open-options.js";
export { openWorkspace } from "./open-workspace.js";
