// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The one gate every effect passes (05): rules, modes, remembered answers and a person decide, in one
 * order, and fail closed. It owns the mode, the rules, the answers and who is asked.
 */
export { type ApprovalStore, openApprovalStore, type SavedAnswer } from "./approval-store.js";
export type { AskedBy, GateAnswer, GateApprover } from "./ask-approver.js";
export { type ApprovalGate, createGate, type GateAudit, type GateDeps } from "./gate.js";
export type { RememberedAnswer } from "./remembered-answer.js";
export type { ActionRequest, AskedAction, Gate, GateDecision } from "./request.js";
export type { RuleBook, ShellRules } from "./rule-book.js";
