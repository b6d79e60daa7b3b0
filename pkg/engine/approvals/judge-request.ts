// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind, PermissionMode } from "@blitz/api";
import { matchRules, type RuleMatch, type RuleSet, type RuleTarget } from "../rules/index.js";
import type { ActionRequest } from "./request.js";

/** What the table looks at besides the request. */
export interface GateState {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  /** `tools.auto_approve_commands`. */
  readonly autoApproveCommands: boolean;
  readonly sandboxActive: boolean;
  /** `sandbox.shell = auto` without a working sandbox: every command asks each time (APR-62). */
  readonly unconfined: boolean;
  readonly remembered: (key: string) => "session" | "saved" | undefined;
  /** A run without a person: its own permissions, and nothing else (APR-32). */
  readonly unattended: ((request: ActionRequest) => boolean) | undefined;
}

/** The table's answer; `decision` is the audit log's word (05 §2). */
export type Verdict =
  | { readonly outcome: "allow"; readonly decision: string }
  | { readonly outcome: "refuse"; readonly decision: string; readonly why: string }
  | { readonly outcome: "ask"; readonly mustAsk: boolean };

/** The gate's table (APR-10), up to the point where a person is asked. Pure; the first row that fits decides. */
export function judgeRequest(request: ActionRequest, state: GateState): Verdict {
  const match = ruleFor(request, state.rules);
  if (match?.effect === "deny") {
    return refuse(
      `rule-deny ${match.rule.text}`,
      `the permission rule ${match.rule.text} denies this. Don't try it another way.`,
    );
  }
  const isUnconfined = state.unconfined && touches(request, "run_command");
  const mustAsk = request.mustAsk === true || match?.effect === "ask" || isUnconfined;
  if (state.unattended !== undefined) return judgeUnattended(request, mustAsk, state.unattended);
  if (mustAsk) return state.mode === "dont-ask" ? refuseMode(request) : { outcome: "ask", mustAsk };
  const decision = allowedBy(request, match, state);
  if (decision !== undefined) return { outcome: "allow", decision };
  return state.mode === "dont-ask" ? refuseMode(request) : { outcome: "ask", mustAsk };
}

function judgeUnattended(
  request: ActionRequest,
  mustAsk: boolean,
  decide: (request: ActionRequest) => boolean,
): Verdict {
  if (mustAsk) return refuse("unattended-refused", "this needs a person, and nobody watches this run");
  if (decide(request)) return { outcome: "allow", decision: "unattended-permitted" };
  return refuse("unattended-refused", "this run doesn't have that permission");
}

/** Rows 7 to 12: why nobody has to be asked. */
function allowedBy(request: ActionRequest, match: RuleMatch | undefined, state: GateState): string | undefined {
  if (request.preApproved !== undefined && request.control !== true) return request.preApproved;
  if (match?.effect === "allow") return `rule-allow ${match.rule.text}`;
  if (request.control === true) return undefined;
  if (state.mode === "bypass" && state.sandboxActive) return "mode-bypass";
  if (state.autoApproveCommands && isOnly(request, ["run_command"])) return "auto-policy";
  const remembered = request.key === undefined ? undefined : state.remembered(request.key);
  if (remembered !== undefined) return `${remembered}-rule`;
  if (state.mode === "accept-edits" && isOnly(request, ["write_file", "delete_file"])) return "mode-accept-edits";
  return undefined;
}

function ruleFor(request: ActionRequest, rules: RuleSet): RuleMatch | undefined {
  const { actions, tool, control, policyChecked } = request;
  const unchecked = policyChecked === true ? actions.filter(({ kind }) => kind !== "run_command") : actions;
  const targets = unchecked.map(({ kind, target }): RuleTarget => ({ kind: ruleKind(kind, request), target }));
  const match = matchRules(rules, targets, tool, control === true);
  const isPartial = unchecked.length < actions.length;
  return isPartial && match?.effect === "allow" && match.rule.kind !== "tool" ? undefined : match;
}

function ruleKind(kind: ApprovalKind, request: ActionRequest): RuleTarget["kind"] {
  switch (kind) {
    case "run_command":
      return "shell";
    case "write_file":
      return "write";
    case "delete_file":
      return "delete";
    case "mcp_tool":
      return "mcp";
    case "network":
      return request.key?.startsWith("search:") || request.tool === "web_search" ? "search" : "web";
  }
}

function touches(request: ActionRequest, kind: ApprovalKind): boolean {
  return request.kind === kind || request.actions.some((action) => action.kind === kind);
}

function isOnly(request: ActionRequest, kinds: readonly ApprovalKind[]): boolean {
  return kinds.includes(request.kind) && request.actions.every(({ kind }) => kinds.includes(kind));
}

function refuse(decision: string, why: string): Verdict {
  return { outcome: "refuse", decision, why };
}

function refuseMode(request: ActionRequest): Verdict {
  return refuse("mode-dont-ask", `the permission mode dont-ask refuses what no rule allows (${request.tool})`);
}
