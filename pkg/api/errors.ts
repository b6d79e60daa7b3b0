// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Connect's names for the classes of failure a reason belongs to on the wire. */
export type WireCode =
  | "invalid_argument"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "deadline_exceeded"
  | "unavailable"
  | "aborted"
  | "failed_precondition"
  | "internal";

/**
 * Every reason an operation can fail with: its wire code and the metadata it carries. The one table
 * that service, client and front ends share (CTR-30; codes: 41). Reasons of areas that do not exist
 * yet join it with their area.
 */
export const REASONS = {
  NO_ACTIVE_SESSION: { code: "failed_precondition", keys: [] },
  SESSION_NOT_FOUND: { code: "not_found", keys: ["id"] },
  SESSION_OPEN: { code: "failed_precondition", keys: ["id"] },
  SESSION_BUSY: { code: "failed_precondition", keys: ["id"] },
  RESUME_FAILED: { code: "not_found", keys: ["ref"] },
  INVALID_ID: { code: "invalid_argument", keys: ["name"] },
  INVALID_TITLE: { code: "invalid_argument", keys: ["name"] },
  UNDO_CONFLICT: { code: "failed_precondition", keys: ["files"] },
  NOTHING_TO_UNDO: { code: "failed_precondition", keys: [] },
  PROMPT_BLOCKED: { code: "permission_denied", keys: ["reason"] },
  STEER_TOO_LATE: { code: "failed_precondition", keys: [] },
  MAX_TURNS: { code: "resource_exhausted", keys: ["limit"] },
  COST_LIMIT: { code: "resource_exhausted", keys: ["limit"] },
  TIME_LIMIT: { code: "deadline_exceeded", keys: ["limit"] },
  MODEL_UNAVAILABLE: { code: "failed_precondition", keys: ["model"] },
  MODEL_FAILED: { code: "unavailable", keys: ["model"], optional: ["kind"] },
  QUOTA_EXCEEDED: { code: "resource_exhausted", keys: ["model"] },
  UNKNOWN_AGENT: { code: "not_found", keys: ["name"] },
  BAD_MODEL_REF: { code: "invalid_argument", keys: ["ref"] },
  INVALID_SETTING: { code: "invalid_argument", keys: ["key"], optional: ["value"] },
  UNKNOWN_SETTING: { code: "invalid_argument", keys: ["key"] },
  INVALID_AGENCY: { code: "invalid_argument", keys: ["value"] },
  UNKNOWN_LOCALE: { code: "invalid_argument", keys: ["value"] },
  UNKNOWN_MODE: { code: "invalid_argument", keys: ["mode"] },
  BYPASS_NEEDS_SANDBOX: { code: "failed_precondition", keys: [] },
  BAD_RULE: { code: "invalid_argument", keys: ["rule"] },
  UNKNOWN_RUN: { code: "not_found", keys: ["id"] },
  UNKNOWN_REQUEST: { code: "not_found", keys: ["id"] },
  BAD_PATH: { code: "invalid_argument", keys: ["path"] },
  CONFIG_INVALID: { code: "invalid_argument", keys: ["problems"] },
  WORKSPACE_BUSY: { code: "failed_precondition", keys: ["workspace"], optional: ["pid"] },
  INVALID_WORKSPACE: { code: "invalid_argument", keys: ["workspace"] },
  OPEN_FAILED: { code: "failed_precondition", keys: ["workspace"] },
  SANDBOX_UNAVAILABLE: { code: "failed_precondition", keys: [] },
  /** A turn somebody cancelled, in `finished`; whoever runs it gets the abort itself. */
  CANCELLED: { code: "aborted", keys: [] },
  TURN_RUNNING: { code: "failed_precondition", keys: ["workspace"] },
  INVALID_TURN: { code: "invalid_argument", keys: [] },
  INVALID_DECISION: { code: "invalid_argument", keys: [] },
  INVALID_ANSWER: { code: "invalid_argument", keys: [] },
  SHUTTING_DOWN: { code: "unavailable", keys: [] },
  SERVICE_UNAVAILABLE: { code: "unavailable", keys: [] },
  INTERNAL: { code: "internal", keys: [] },
} as const;

/** Why an operation failed; see {@link REASONS}. */
export type Reason = keyof typeof REASONS;

type OptionalKey<R extends Reason> = (typeof REASONS)[R] extends {
  readonly optional: readonly (infer K extends string)[];
}
  ? K
  : never;

/** The metadata a reason carries: its required keys, and the ones it may have. */
export type Metadata<R extends Reason> = Readonly<Record<(typeof REASONS)[R]["keys"][number], string>> &
  Readonly<Partial<Record<OptionalKey<R>, string>>>;

/**
 * The one class of failed operations. Tell them apart with {@link isReason}, never by `instanceof` or
 * message: the field survives package borders, realms and the wire (CTR-30). `reason` is a plain
 * string because a newer peer may send one this table doesn't have.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** A {@link Reason}, or one of a newer peer. */
  readonly reason: string;
  /** The values its reason carries; never a secret. */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(reason: string, message: string, metadata: Readonly<Record<string, string>>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.metadata = metadata;
  }
}

/** Makes an {@link ApiError}; leaving out metadata its reason requires doesn't compile. */
export function apiError<R extends Reason>(
  reason: R,
  message: string,
  metadata: Metadata<R>,
  cause?: unknown,
): ApiError {
  return new ApiError(reason, message, metadata, cause);
}

/** Whether `error` is an operation that failed for one of these reasons; reads the field, not the class. */
export function isReason(error: unknown, ...reasons: readonly Reason[]): error is ApiError {
  if (typeof error !== "object" || error === null || !("reason" in error) || !("metadata" in error)) return false;
  return reasons.length === 0 || (reasons as readonly unknown[]).includes(error.reason);
}

/** Whether a turn ended at one of its limits: model calls, cost or time (WS-29). */
export function isLimit(error: unknown): error is ApiError {
  return isReason(error, "MAX_TURNS", "COST_LIMIT", "TIME_LIMIT");
}

/** For the default of an exhaustive switch: doesn't compile while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
