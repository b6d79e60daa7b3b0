// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SettingsInfo } from "@blitz/api";
import type { Config } from "@blitz/config";
import { type GenSettings, type Price, priceOf } from "../models/index.js";

/** Settings of one model's calls: the session's effort over its own entry, that over the general ones (MDL-71, 74). */
export function genSettingsOf(config: Config, model: string, sessionEffort: SettingsInfo["effort"]): GenSettings {
  const own = Object.hasOwn(config.model_settings, model) ? (config.model_settings[model] ?? {}) : {};
  const { blitz } = config;
  const ownEffort = own.reasoning_effort === "xhigh" ? "max" : own.reasoning_effort;
  const effort = sessionEffort === "auto" ? ownEffort : sessionEffort;
  const temperature = own.temperature ?? (blitz.temperature > 0 ? blitz.temperature : undefined);
  const maxTokens = own.max_tokens ?? (blitz.max_tokens > 0 ? blitz.max_tokens : undefined);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(own.top_p === undefined ? {} : { topP: own.top_p }),
    ...(own.seed === undefined ? {} : { seed: own.seed }),
    ...(own.thinking_budget === undefined ? {} : { thinkingBudget: own.thinking_budget }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** Prices by model name: the user's over the built-in ones, as they are now (MDL-76). */
export function pricesOf(config: Config, now: () => Date): (model: string) => Price | undefined {
  const own = Object.fromEntries(
    Object.entries(config.pricing).map(([model, price]) => [
      model,
      {
        ...(price.input_per_mtok === undefined ? {} : { inputPerMtok: price.input_per_mtok }),
        ...(price.output_per_mtok === undefined ? {} : { outputPerMtok: price.output_per_mtok }),
        ...(price.cached_input_per_mtok === undefined ? {} : { cachedInputPerMtok: price.cached_input_per_mtok }),
        ...(price.cache_write_per_mtok === undefined ? {} : { cacheWritePerMtok: price.cache_write_per_mtok }),
      },
    ]),
  );
  return (model) => priceOf(model, own, now());
}
