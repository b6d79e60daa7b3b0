// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "./errors.js";

/** How far an agent goes without asking back, from the one that asks most (AG-02). */
export const AGENCY_LEVELS = ["low", "medium", "high", "extreme"] as const;

/** How far an agent goes without asking back. */
export type AgencyLevel = (typeof AGENCY_LEVELS)[number];

/** How hard a model thinks, from least to most (MDL-73). */
export const EFFORTS = ["minimal", "low", "medium", "high", "max"] as const;

/** How hard a model thinks. */
export type Effort = (typeof EFFORTS)[number];

/**
 * Reads an agency level in any case.
 *
 * @throws ApiError `INVALID_AGENCY`
 */
export function parseAgencyLevel(text: string): AgencyLevel {
  const level = AGENCY_LEVELS.find((one) => one === text.trim().toLowerCase());
  if (level !== undefined) return level;
  throw apiError("INVALID_AGENCY", `unknown agency level "${text}"; known: ${AGENCY_LEVELS.join(", ")}`, {
    value: text,
  });
}

/**
 * Reads a session's effort in any case; `auto`, or nothing, leaves it to each model's own (MDL-73, 74).
 *
 * @throws ApiError `INVALID_SETTING`
 */
export function parseEffort(text: string): Effort | "auto" {
  const name = text.trim().toLowerCase();
  if (name === "" || name === "auto") return "auto";
  const effort = EFFORTS.find((one) => one === (name === "xhigh" ? "max" : name));
  if (effort !== undefined) return effort;
  throw apiError("INVALID_SETTING", `unknown effort "${text}"; known: auto, ${EFFORTS.join(", ")}`, {
    key: "effort",
    value: text,
  });
}
