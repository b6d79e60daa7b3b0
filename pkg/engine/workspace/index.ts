// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Opening a project: lock, order, wiring, closing; and looking at one that stays closed. */
export { waitingWorkspaces } from "../session/index.js";
export type { InspectedModel } from "./inspect-models.js";
export { type Inspection, inspectWorkspace } from "./inspect-workspace.js";
export type { OpenOptions, Workspace } from "./open-options.js";
export { openWorkspace } from "./open-workspace.js";
