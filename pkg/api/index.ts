// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The contract between front ends and engine: operations, values, events and typed errors (40).
 *
 * Holds types, constants and small pure functions only, so that the terminal, the service, its client
 * and a web page can all use it. It imports nothing of the engine, of Node.js or of a provider.
 */
export {
  type Answered,
  type ApprovalKind,
  type Approver,
  type Asker,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  parsePermissionMode,
  type Request,
  type RuleEffect,
  type RuleSource,
} from "./approvals.js";
export type {
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
  Requests,
  Scope,
  SessionInfo,
  Sessions,
  Settings,
  SettingsInfo,
  TurnHandlers,
  Turns,
  Ui,
  UndoResult,
  WatchFrom,
  WatchHandlers,
} from "./backend.js";
export { type BackgroundRun, type BackgroundRuns, isActive } from "./background.js";
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
export { AGENCY_LEVELS, type AgencyLevel, EFFORTS, type Effort, parseAgencyLevel, parseEffort } from "./levels.js";
export type { LiveEvent, RequestOutcome, TurnEnd, TurnPhase, TurnState } from "./live.js";
export { nearest } from "./nearest.js";
export type { Turn, TurnResult } from "./turn.js";
export { addUsage, NO_USAGE, type Usage } from "./usage.js";
