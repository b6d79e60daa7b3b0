// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The contract between front ends and engine: operations, values, events and typed errors (40).
 *
 * Holds types, constants and small pure functions only, so that the terminal, the service, its client
 * and a web page can all use it. It imports nothing of the engine, of Node.js or of a provider.
 */
export {
  type ApprovalKind,
  type Approver,
  type Asker,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  parsePermissionMode,
  type RuleEffect,
  type RuleSource,
} from "./approvals.js";
export type {
  AgencyLevel,
  AgentInfo,
  Agents,
  Answer,
  ApprovalRequest,
  Backend,
  Changes,
  Checkpoint,
  Context,
  Decision,
  Lifecycle,
  Message,
  ModelInfo,
  Models,
  Permissions,
  Question,
  Scope,
  SessionInfo,
  Sessions,
  Turn,
  TurnHandlers,
  TurnResult,
  Turns,
  Ui,
  UndoResult,
} from "./backend.js";
export {
  ApiError,
  apiError,
  isLimit,
  isReason,
  type Metadata,
  REASONS,
  type Reason,
  unreachable,
  type WireCode,
} from "./errors.js";
export type { JsonObject, TaskItem, TurnEvent } from "./events.js";
export { nearest } from "./nearest.js";
export { addUsage, NO_USAGE, type Usage } from "./usage.js";
