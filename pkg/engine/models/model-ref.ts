// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";

/** Providers this build knows (MDL-01). */
export const PROVIDERS = ["gemini", "anthropic", "openai", "ollama"] as const;

/** A known provider. */
export type Provider = (typeof PROVIDERS)[number];

/** A model of a provider. `model` is "" when only a provider was meant. */
export interface ModelRef {
  readonly provider: Provider;
  readonly model: string;
}

/** The provider of that name, in any case. */
export function providerNamed(name: string): Provider | undefined {
  const lower = name.toLowerCase();
  return PROVIDERS.find((provider) => provider === lower);
}

/**
 * Splits `provider/model` at the first slash if a known provider stands before it, in any case; else
 * all of it is a model of the default provider, tags and slashes included (MDL-01).
 *
 * @throws ApiError `BAD_MODEL_REF` for a reference without a name or with `=` in it
 */
export function parseModelRef(ref: string, defaultProvider: Provider): ModelRef {
  const text = ref.trim();
  const slash = text.indexOf("/");
  const named = slash < 0 ? undefined : providerNamed(text.slice(0, slash));
  const model = named === undefined ? text : text.slice(slash + 1).trim();
  if (model === "" || text.includes("="))
    throw apiError("BAD_MODEL_REF", `not a model: ${JSON.stringify(ref)}`, { ref });
  return { provider: named ?? defaultProvider, model };
}
