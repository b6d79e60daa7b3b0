// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "./errors.js";

/** What an action does; rules, modes and remembered answers are told by it (05 §1). */
export type ApprovalKind = "run_command" | "write_file" | "delete_file" | "network" | "mcp_tool";

/** An action that waits for a person (05 §1). */
export interface ApprovalRequest {
  readonly tool: string;
  readonly kind: ApprovalKind;
  /** One human sentence. */
  readonly detail: string;
  /** Unified diff of an edit. */
  readonly diff?: string;
  /** What a remembered answer covers; "" = can only be approved once. */
  readonly key: string;
  /** Words for what `key` covers. */
  readonly keyLabel: string;
  /** Workspace-relative paths, the command, a host, the search provider, or `server:tool`. */
  readonly targets: readonly string[];
  /** An ask rule covers it: modes, allow rules and remembered answers don't apply. */
  readonly mustAsk: boolean;
  /** The sub-agent that asks, if it isn't the root. */
  readonly agent?: string;
  readonly taskId?: string;
}

/** An answer to an {@link ApprovalRequest}. */
export type Decision = "deny" | "once" | "session" | "always";

/** Asks a person; a rejection, an abort or anything unknown counts as deny (CTR-10). */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<Decision>;

/** A question of the agent, answered by option keys or free text (CTR-11). */
export interface Question {
  readonly question: string;
  /** A plan put to the user for review; its options' labels are empty, front ends word them by key. */
  readonly plan?: string;
  readonly options: readonly { readonly key: string; readonly label: string }[];
  readonly multiSelect?: boolean;
  readonly agent?: string;
  readonly taskId?: string;
}

/** Keys of options, or free text. */
export type Answer = { readonly keys: readonly string[] } | { readonly text: string };

/** Puts a question to a person; rejects when nobody can answer. */
export type Asker = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** An approval or a question that waits for a person; the first valid answer wins (SVC-26). */
export type Request = {
  /** 96 random bits in hex, used once. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly created: Date;
  /** Denied after this; absent = never. */
  readonly expires?: Date;
} & ({ readonly approval: ApprovalRequest } | { readonly question: Question });

/** What became of an answer: whether it counts, else whose does and what it was. */
export interface Answered {
  readonly won: boolean;
  readonly by: string;
  readonly answer: Decision | Answer;
}

/** Permission modes, from the one that asks most (APR-14). */
export const PERMISSION_MODES = ["default", "accept-edits", "auto", "plan", "dont-ask", "bypass"] as const;

/** How much is allowed without asking. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

const MODE_ALIASES: Readonly<Record<string, PermissionMode>> = {
  "": "default",
  default: "default",
  ask: "default",
  manual: "default",
  acceptedits: "accept-edits",
  edits: "accept-edits",
  auto: "auto",
  plan: "plan",
  dontask: "dont-ask",
  deny: "dont-ask",
  bypass: "bypass",
  bypasspermissions: "bypass",
};

/**
 * Reads a mode in any of its spellings: case and `-`, `_`, blanks don't count (APR-53).
 *
 * @throws ApiError `UNKNOWN_MODE`
 */
export function parsePermissionMode(text: string): PermissionMode {
  const spelling = text.toLowerCase().replace(/[-_\s]/g, "");
  const mode = Object.hasOwn(MODE_ALIASES, spelling) ? MODE_ALIASES[spelling] : undefined;
  if (mode === undefined) {
    throw apiError("UNKNOWN_MODE", `unknown permission mode "${text}"; known: ${PERMISSION_MODES.join(", ")}`, {
      mode: text,
    });
  }
  return mode;
}

/** Effects of a permission rule, strongest first. */
export type RuleEffect = "deny" | "ask" | "allow";

/** Where a permission rule comes from. */
export type RuleSource = "global" | "workspace" | "project" | "built-in" | "flag" | "session";

/** A permission rule as listed: `kind(pattern)` in canonical form. */
export interface PermissionRule {
  readonly effect: RuleEffect;
  readonly rule: string;
  readonly source: RuleSource;
}
