// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, isReason } from "@blitz/api";
import { ModelError } from "../models/index.js";

/** A failed model call as the contract's error; anything else as it is (ENG-15). The abort reason of a cancelled call stays what it was. */
export function asApiError(error: unknown, model: string): unknown {
  if (isReason(error) || !(error instanceof ModelError)) return error;
  if (error.kind === "quota") return apiError("QUOTA_EXCEEDED", error.message, { model }, error);
  return apiError("MODEL_FAILED", error.message, { model, kind: error.kind }, error);
}
