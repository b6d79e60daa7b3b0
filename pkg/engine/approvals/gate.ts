// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { PermissionMode, PermissionRule } from "@blitz/api";
import { mintGrant } from "../grant/mint/index.js";
import { type RulePlaces, toolRule } from "../rules/index.js";
import { type AnswerMemory, createAnswerMemory } from "./answer-memory.js";
import type { ApprovalStore } from "./approval-store.js";
import { askApprover, declinedWords, type GateApprover, shownRequest } from "./ask-approver.js";
import { type GateState, judgeRequest, type Verdict } from "./judge-request.js";
import { createModeSwitch } from "./mode-switch.js";
import type { RememberedAnswer } from "./remembered-answer.js";
import type { ActionRequest, Gate, GateDecision } from "./request.js";
import { createRuleBook, type RuleBook } from "./rule-book.js";
import { createTurnstiles, type Turnstiles } from "./turnstile.js";

/** Where decisions are noted; `audit`'s log is one. */
export interface GateAudit {
  write(entry: {
    readonly kind: "approval" | "denial";
    readonly decision: string;
    readonly tool: string;
    readonly detail: string;
    readonly session: string;
    readonly agent: string;
    /** The client that answered. */
    readonly by?: string;
  }): void;
}

/** What the gate needs. */
export interface GateDeps {
  readonly places: RulePlaces;
  /** Those of settings and flags; a project's allow rules only when it is trusted (APR-59). */
  readonly rules: readonly PermissionRule[];
  readonly mode: PermissionMode;
  readonly store: ApprovalStore;
  readonly audit: GateAudit;
  /** Whether the OS sandbox confines commands now. */
  readonly sandboxActive: () => boolean;
  /** Whether commands run unconfined although the user didn't choose that (APR-62). */
  readonly unconfined: () => boolean;
  readonly autoApproveCommands: () => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly warn: (text: string) => void;
}

/** The gate, and what it owns: mode, rules, remembered answers, and who is asked. */
export interface ApprovalGate extends Gate {
  /** The same gate for a run without a person: only `permits` counts, nobody is asked (APR-10 rows 2, 3). */
  unattended(permits: (request: ActionRequest) => boolean): Gate;
  mode(): PermissionMode;
  /**
   * Takes any spelling (APR-53).
   *
   * @throws ApiError `UNKNOWN_MODE`, `BYPASS_NEEDS_SANDBOX`; the mode stays
   */
  setMode(mode: string): PermissionMode;
  readonly rules: RuleBook;
  /** The deny rule that refuses a tool by its name (APR-56). */
  denied(tool: string): string | undefined;
  setApprover(approver: GateApprover | undefined): void;
  /** Those of this process, then the saved ones (APR-21). */
  listApprovals(): readonly RememberedAnswer[];
  /** The number of answers forgotten. */
  revokeApprovals(keys: readonly string[]): Promise<number>;
  clearApprovals(): Promise<void>;
}

/** Opens the gate. `bypass` without a sandbox starts as `default`, with a warning (PAR-PERM-05). */
export function createGate(deps: GateDeps): ApprovalGate {
  const rules = createRuleBook(deps.rules, deps.places);
  const answers = createAnswerMemory(deps);
  const canBypass = (): boolean => deps.sandboxActive() && !deps.unconfined();
  const modes = createModeSwitch({ canBypass, warn: deps.warn }, deps.mode);
  let approver: GateApprover | undefined;

  const desk: Desk = {
    audit: deps.audit,
    answers,
    turnstiles: createTurnstiles(),
    waiting: new Set(),
    approver: () => approver,
  };
  const gateFor = (unattended: GateState["unattended"]): Gate => {
    const judge = (request: ActionRequest): Verdict =>
      judgeRequest(request, {
        mode: modes.current(),
        rules: rules.compiled(),
        autoApproveCommands: deps.autoApproveCommands(),
        sandboxActive: canBypass(),
        unconfined: deps.unconfined(),
        remembered: answers.covers,
        unattended,
      });
    return { decide: (request, signal) => decide(desk, judge, request, signal) };
  };

  return {
    ...gateFor(undefined),
    unattended: gateFor,
    mode: modes.current,
    setMode: modes.set,
    rules,
    denied: (tool) => toolRule(rules.compiled(), "deny", tool)?.text,
    setApprover: (next) => {
      approver = next;
    },
    listApprovals: answers.list,
    revokeApprovals: answers.revoke,
    clearApprovals: answers.clear,
  };
}

/** What one decision uses of the gate. */
interface Desk {
  readonly audit: GateAudit;
  readonly answers: AnswerMemory;
  /** One for each session: a request that waits for hours holds up its own session only. */
  readonly turnstiles: Turnstiles;
  /** Requests on somebody's screen: looked at again when an answer is remembered. */
  readonly waiting: Set<() => void>;
  readonly approver: () => GateApprover | undefined;
}

async function decide(
  desk: Desk,
  judge: (request: ActionRequest) => Verdict,
  request: ActionRequest,
  signal: AbortSignal,
): Promise<GateDecision> {
  const cancelled = (): GateDecision => refuse(desk, request, "cancelled", declinedWords(request.kind, "cancelled"));
  if (signal.aborted) return cancelled();
  const first = judge(request);
  if (first.outcome !== "ask") return settle(desk, request, first);
  const leave = await desk.turnstiles.enter(request.sessionId, signal);
  if (leave === undefined) return cancelled();
  try {
    // Judged again: an answer given while this one waited may cover it (APR-51).
    const verdict = judge(request);
    return verdict.outcome === "ask"
      ? await ask(desk, judge, request, verdict.mustAsk, signal)
      : settle(desk, request, verdict);
  } finally {
    leave();
  }
}

async function ask(
  desk: Desk,
  judge: (request: ActionRequest) => Verdict,
  request: ActionRequest,
  mustAsk: boolean,
  signal: AbortSignal,
): Promise<GateDecision> {
  const approver = desk.approver();
  if (approver === undefined) return refuse(desk, request, "no-approver", NOBODY);
  const shown = shownRequest(request, mustAsk);
  const covered = new AbortController();
  const lookAgain = (): void => {
    if (judge(request).outcome !== "ask") covered.abort();
  };
  desk.waiting.add(lookAgain);
  const { decision, by } = await askApprover(approver, shown, request, AbortSignal.any([signal, covered.signal]));
  desk.waiting.delete(lookAgain);
  const verdict = judge(request);
  if (covered.signal.aborted && verdict.outcome !== "ask") return settle(desk, request, verdict);
  switch (decision) {
    case "nobody":
      return refuse(desk, request, "no-approver", NOBODY);
    case "deny":
    case "error":
    case "cancelled":
    case "expired":
      return refuse(desk, request, decision, declinedWords(request.kind, decision), by);
    case "once":
      return allow(desk, request, decision, by);
    case "session":
    case "always":
      if (shown.key !== "") {
        await desk.answers.remember(shown.key, shown.keyLabel, decision === "always");
        for (const again of desk.waiting) again();
      }
      return allow(desk, request, decision, by);
    default:
      return decision satisfies never;
  }
}

const NOBODY: string =
  "nobody can be asked here; a permission rule (/permissions, --allow) or another mode has to allow it";

function settle(desk: Desk, request: ActionRequest, verdict: Exclude<Verdict, { outcome: "ask" }>): GateDecision {
  return verdict.outcome === "allow"
    ? allow(desk, request, verdict.decision)
    : refuse(desk, request, verdict.decision, verdict.why);
}

function allow(desk: Desk, request: ActionRequest, decision: string, by?: string): GateDecision {
  note(desk, request, "approval", decision, by);
  return { allowed: true, grant: mintGrant(request.actions) };
}

function refuse(desk: Desk, request: ActionRequest, decision: string, why: string, by?: string): GateDecision {
  note(desk, request, "denial", decision, by);
  return { allowed: false, why };
}

function note(
  { audit }: Desk,
  request: ActionRequest,
  kind: "approval" | "denial",
  decision: string,
  by: string | undefined,
): void {
  const { tool, detail, sessionId, agent } = request;
  audit.write({ kind, decision, tool, detail, session: sessionId, agent, ...(by === undefined ? {} : { by }) });
}
