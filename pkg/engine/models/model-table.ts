// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Provider } from "./model-ref.js";

/**
 * Default models (MDL-12): the newest general-purpose one each official SDK names, filled in on
 * 2026-12-01 from @anthropic-ai/sdk 1.14.0, openai 7.59.0 and @google/genai 3.3.0. Ollama has none:
 * the first model its server lists is taken.
 */
export const DEFAULT_MODELS: Readonly<Record<Provider, string>> = {
  gemini: "gemini-3.8-flash",
  anthropic: "claude-opus-5-5",
  openai: "gpt-6.2-sol",
  ollama: "",
};

/** US dollars for a million tokens. An unset rate is the input rate (MDL-76). */
export interface Price {
  readonly inputPerMtok: number;
  readonly outputPerMtok: number;
  readonly cachedInputPerMtok?: number;
  readonly cacheWritePerMtok?: number;
}

/** A row of the built-in table: a price, since when it holds (a day, UTC), and where it was read. */
export interface PriceRow extends Price {
  readonly model: string;
  readonly from: string;
  readonly source: string;
}

/**
 * Built-in prices, read on 2026-12-01; always shown as estimated. None is guessed: what couldn't be
 * read isn't here. Of two rows of a model the later one whose day has come holds.
 */
export const PRICES: readonly PriceRow[] = [
  {
    model: "claude-opus-5-5",
    inputPerMtok: 4,
    outputPerMtok: 20,
    cachedInputPerMtok: 0.2,
    cacheWritePerMtok: 5,
    from: "2026-09-22",
    source: "platform.claude.com/docs/en/models/opus-5-5/overview",
  },
  {
    model: "claude-opus-5",
    inputPerMtok: 5,
    outputPerMtok: 25,
    cachedInputPerMtok: 0.5,
    cacheWritePerMtok: 6.25,
    from: "2026-07-24",
    source: "platform.claude.com/docs/en/models/opus-5/overview",
  },
  {
    model: "gpt-6.2-sol",
    inputPerMtok: 2,
    outputPerMtok: 10,
    cachedInputPerMtok: 0.1,
    cacheWritePerMtok: 2.5,
    from: "2026-11-01",
    source: "OpenAI's price list as quoted in github.com/iyulab/TokenMeter v0.17.0; prompts up to 272K tokens",
  },
  {
    model: "gpt-4o",
    inputPerMtok: 2.5,
    outputPerMtok: 10,
    cachedInputPerMtok: 1.25,
    from: "2024-10-01",
    source: "openai.com/api/pricing as quoted in the crate openai-models 0.1.1",
  },
  {
    model: "gemini-3.8-flash",
    inputPerMtok: 0.75,
    outputPerMtok: 3.75,
    cachedInputPerMtok: 0.075,
    from: "2026-09-01",
    source: "ai.google.dev/gemini-api/docs/pricing as quoted in github.com/BerriAI/litellm discussion 39357",
  },
  {
    model: "gemini-3.8-flash",
    inputPerMtok: 1.5,
    outputPerMtok: 7.5,
    from: "2027-01-01",
    source: "ai.google.dev/gemini-api/docs/pricing as quoted in github.com/BerriAI/litellm discussion 39357",
  },
];
