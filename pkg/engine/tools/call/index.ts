// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What a tool is, and the fixed order of checks around one call. */
export type { ActionRequest, AskedAction, GateDecision } from "../../approvals/index.js";
export { type CallRun, type Calls, type CallsDeps, createCalls, type ReadOnlyMode, type RunAsker } from "./run-call.js";
export type { CallContext, Tool, ToolEvent } from "./tool.js";
