// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ApiError, isReason, type ModelInfo, type Models } from "@blitz/api";
import type { ChatModel } from "../models/index.js";

/** The model in use, built when first asked for; `workspace` owns the choice. */
export interface ModelChoice {
  /** @throws ApiError `MODEL_UNAVAILABLE` with what to set */
  readonly current: () => Promise<ChatModel>;
  /** The reference it was asked for by, for telling people when it can't be built. */
  readonly wanted: () => ModelInfo;
  /** @throws ApiError `BAD_MODEL_REF`, `MODEL_UNAVAILABLE`; the choice then stays */
  readonly choose: (ref: string) => Promise<void>;
}

/** Which model answers (15). */
export function createModelsService(choice: ModelChoice, pinOfActiveAgent: () => string): Models {
  const problem = async (): Promise<ApiError | undefined> => {
    try {
      await choice.current();
      return undefined;
    } catch (error) {
      if (isReason(error)) return error;
      throw error;
    }
  };
  return {
    modelError: problem,
    model: async () => {
      if ((await problem()) !== undefined) return choice.wanted();
      const { name, provider } = await choice.current();
      return { name, provider };
    },
    setModel: async (ref) => {
      await choice.choose(ref);
      return { activePin: pinOfActiveAgent() };
    },
  };
}
