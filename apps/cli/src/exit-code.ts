// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ApiError, isLimit, isReason } from "@blitz/api";
import { UsageError } from "./usage-error.js";

/** Exit codes are stable (20). */
export const EXIT = { ok: 0, failed: 1, usage: 2, limit: 3, blocked: 4, interrupted: 130 } as const;

/** The exit code an error ends the program with. */
export function exitCodeOf(error: unknown, interrupted: boolean): number {
  if (isLimit(error)) return EXIT.limit;
  if (interrupted) return EXIT.interrupted;
  if (error instanceof UsageError) return EXIT.usage;
  if (isReason(error, "PROMPT_BLOCKED")) return EXIT.blocked;
  if (isUsage(error)) return EXIT.usage;
  return EXIT.failed;
}

function isUsage(error: unknown): error is ApiError {
  return isReason(
    error,
    "RESUME_FAILED",
    "INVALID_ID",
    "INVALID_TITLE",
    "WORKSPACE_BUSY",
    "INVALID_WORKSPACE",
    "CONFIG_INVALID",
    "INVALID_SETTING",
    "UNKNOWN_SETTING",
    "UNKNOWN_MODE",
    "BYPASS_NEEDS_SANDBOX",
    "BAD_RULE",
    "UNKNOWN_AGENT",
    "BAD_MODEL_REF",
  );
}
