// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind } from "@blitz/api";
import type { Action, Grant } from "../grant/index.js";

/**
 * An action a tool wants to take, put to the gate (05 §1, §2).
 *
 * `actions` is what the grant will cover and what rules match, each under its own kind: a patch names
 * every path it writes or deletes. No actions: no rule can cover it.
 */
export interface ActionRequest {
  readonly tool: string;
  /** The kind shown to a person; `actions` decide. */
  readonly kind: ApprovalKind;
  readonly detail: string;
  /** Computed only when somebody will be asked. */
  readonly diff?: () => string;
  /** Absent = can only be approved once. */
  readonly key?: string;
  readonly keyLabel?: string;
  readonly actions: readonly Action[];
  readonly mustAsk?: boolean;
  /** Why it needs no person unless a rule says otherwise (APR-50). */
  readonly preApproved?: "policy" | "allow-domains" | "user-selected";
  /** It touches a control file (FS-102): modes and remembered answers don't cover it. */
  readonly control?: boolean;
  /** The command policy already matched deny and ask rules per sub-command (APR-57): `shell` rules are not matched again. */
  readonly policyChecked?: boolean;
  readonly agent: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
}

/** An action as a tool asks for it; whose call asks is added on the way to the gate. */
export type AskedAction = Omit<ActionRequest, "agent" | "sessionId" | "turnId" | "callId">;

/** The gate's answer: a grant for exactly the request's actions, or why not, worded for the agent. */
export type GateDecision =
  | { readonly allowed: true; readonly grant: Grant }
  | { readonly allowed: false; readonly why: string };

/** The one gate. Safe for concurrent use; an aborted wait is a denial (APR-51, 52). */
export interface Gate {
  decide(request: ActionRequest, signal: AbortSignal): Promise<GateDecision>;
}
