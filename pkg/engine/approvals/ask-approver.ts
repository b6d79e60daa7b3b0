// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind, ApprovalRequest, Decision } from "@blitz/api";
import type { ActionRequest } from "./request.js";

/** Whose call asks. */
export type AskedBy = Pick<ActionRequest, "sessionId" | "turnId" | "callId">;

/** What became of asking, and who answered; `nobody`: there is no one to ask, `expired`: nobody did in time. */
export interface GateAnswer {
  readonly decision: Decision | "nobody" | "expired" | "error" | "cancelled";
  readonly by?: string;
}

/** Puts a request to people. A bare decision has nobody's name; whatever isn't one counts as deny. */
export type GateApprover = (
  request: ApprovalRequest,
  signal: AbortSignal,
  asked: AskedBy,
) => Promise<Decision | GateAnswer>;

const DECISIONS: readonly unknown[] = [
  "deny",
  "once",
  "session",
  "always",
  "nobody",
  "expired",
  "error",
  "cancelled",
] satisfies readonly GateAnswer["decision"][];

/** The request as an approver sees it; without a key when an ask rule covers it, so nothing is remembered. */
export function shownRequest(request: ActionRequest, mustAsk: boolean): ApprovalRequest {
  const canRemember = !mustAsk && request.control !== true;
  const diff = request.diff?.();
  return {
    tool: request.tool,
    kind: request.kind,
    detail: request.detail,
    ...(diff === undefined ? {} : { diff }),
    key: canRemember ? (request.key ?? "") : "",
    keyLabel: canRemember ? (request.keyLabel ?? "") : "",
    targets: request.actions.map(({ target }) => target),
    mustAsk,
  };
}

/**
 * Puts a request to a person. Whatever isn't a valid answer given while the turn runs counts against
 * it: an abort ends the wait at once (APR-52), a failing approver is an error (APR-12).
 */
export async function askApprover(
  approver: GateApprover,
  shown: ApprovalRequest,
  asked: AskedBy,
  signal: AbortSignal,
): Promise<GateAnswer> {
  if (signal.aborted) return { decision: "cancelled" };
  const { promise: aborted, resolve } = Promise.withResolvers<GateAnswer>();
  const onAbort = (): void => resolve({ decision: "cancelled" });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer: unknown = await Promise.race([aborted, approver(shown, signal, asked)]);
    if (signal.aborted) return { decision: "cancelled" };
    return answerOf(answer);
  } catch {
    return { decision: signal.aborted ? "cancelled" : "error" };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function answerOf(answer: unknown): GateAnswer {
  const given = typeof answer === "object" && answer !== null ? (answer as GateAnswer) : { decision: answer };
  return DECISIONS.includes(given.decision) ? (given as GateAnswer) : { decision: "deny" };
}

const KIND_WORDS: Readonly<Record<ApprovalKind, string>> = {
  run_command: "running this command",
  write_file: "this change to files",
  delete_file: "this deletion",
  network: "this request to the network",
  mcp_tool: "this call of an MCP tool",
};

/** What the agent is told when a person didn't allow it. */
export function declinedWords(kind: ApprovalKind, outcome: "deny" | "error" | "cancelled" | "expired"): string {
  const what = KIND_WORDS[kind];
  switch (outcome) {
    case "deny":
      return `the user declined ${what}. Don't try it another way; ask what they want instead, or go on without it.`;
    case "error":
      return `${what} could not be put to the user, so it is not allowed`;
    case "expired":
      return `nobody answered in time, so ${what} is not allowed`;
    case "cancelled":
      return `the turn was cancelled before the user answered, so ${what} is not allowed`;
  }
}
