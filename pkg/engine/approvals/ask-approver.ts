// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind, ApprovalRequest, Approver, Decision } from "@blitz/api";
import type { ActionRequest } from "./request.js";

/** How asking ended: a person's answer, `error` when the front end failed, `cancelled` when the turn ended. */
export type AskOutcome = Decision | "error" | "cancelled";

const DECISIONS: readonly unknown[] = ["deny", "once", "session", "always"] satisfies readonly Decision[];

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
  approver: Approver,
  shown: ApprovalRequest,
  signal: AbortSignal,
): Promise<AskOutcome> {
  if (signal.aborted) return "cancelled";
  const { promise: aborted, resolve } = Promise.withResolvers<"cancelled">();
  const onAbort = (): void => resolve("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer: unknown = await Promise.race([aborted, approver(shown, signal)]);
    if (signal.aborted) return "cancelled";
    return isDecision(answer) ? answer : "deny";
  } catch {
    return signal.aborted ? "cancelled" : "error";
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function isDecision(answer: unknown): answer is Decision {
  return DECISIONS.includes(answer);
}

const KIND_WORDS: Readonly<Record<ApprovalKind, string>> = {
  run_command: "running this command",
  write_file: "this change to files",
  delete_file: "this deletion",
  network: "this request to the network",
  mcp_tool: "this call of an MCP tool",
};

/** What the agent is told when a person didn't allow it. */
export function declinedWords(kind: ApprovalKind, outcome: "deny" | "error" | "cancelled"): string {
  const what = KIND_WORDS[kind];
  switch (outcome) {
    case "deny":
      return `the user declined ${what}. Don't try it another way; ask what they want instead, or go on without it.`;
    case "error":
      return `${what} could not be put to the user, so it is not allowed`;
    case "cancelled":
      return `the turn was cancelled before the user answered, so ${what} is not allowed`;
  }
}
