// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Config } from "@blitz/config";
import type { Inspection } from "../open-backend.js";
import type { Program } from "../program.js";

/** What a check found. A problem's detail says what to do. */
export interface Finding {
  readonly mark: "✓" | "!" | "✗";
  readonly detail: string;
}

/** What the checks look at. */
export interface Examined {
  readonly program: Program;
  readonly config: Config;
  /** The workspace as the engine sees it, closed. */
  readonly engine: Inspection;
}

/** A check of the table; none changes anything. */
export interface Check {
  /** At most 16 columns. */
  readonly name: string;
  /** An `ApiError` it rejects with is what failed. */
  readonly run: (examined: Examined) => Promise<Finding>;
}

/** All is well. */
export function good(detail: string): Finding {
  return { mark: "✓", detail };
}

/** Blitz works, with less. */
export function warning(detail: string): Finding {
  return { mark: "!", detail };
}

/** Blitz can't do its work: exit code 1. */
export function failure(detail: string): Finding {
  return { mark: "✗", detail };
}
