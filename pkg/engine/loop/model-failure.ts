// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, isReason, nearest } from "@blitz/api";
import { DEFAULT_MODELS, ModelError, PRICES } from "../models/index.js";

/** A failed model call as the contract's error; anything else as it is (ENG-15). The abort reason of a cancelled call stays what it was. */
export function asApiError(error: unknown, model: string): unknown {
  if (isReason(error) || !(error instanceof ModelError)) return error;
  if (error.kind === "quota") return apiError("QUOTA_EXCEEDED", error.message, { model }, error);
  return apiError("MODEL_FAILED", `${error.message}${suggestion(error, model)}`, { model, kind: error.kind }, error);
}

/** For a model the provider doesn't know: the nearest of those Blitz knows. */
function suggestion({ status }: ModelError, model: string): string {
  if (status !== 404) return "";
  const near = nearest(model, [...Object.values(DEFAULT_MODELS), ...PRICES.map((price) => price.model)]);
  return near === undefined || near === model ? "" : ` (did you mean ${near}?)`;
}
