// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";
import type { Provider } from "./model-ref.js";
import type { ModelsConfig } from "./models-config.js";

/** Where a provider is and what opens it. */
export interface Endpoint {
  /** Without a slash at the end; never "". */
  readonly baseUrl: string;
  /** "" = none, or the SDK's own credentials. */
  readonly apiKey: string;
  /** What to set when the key is refused. */
  readonly keyHint: string;
}

const URLS: Readonly<Record<Provider, string>> = {
  anthropic: "https://api.anthropic.com",
  gemini: "https://generativelanguage.googleapis.com",
  openai: "https://api.openai.com/v1",
  ollama: "http://localhost:11434/v1",
};

/**
 * A provider's address and key (MDL-13).
 *
 * @param model - for the error's metadata
 * @throws ApiError `MODEL_UNAVAILABLE` naming what to set
 */
export function endpointOf(config: ModelsConfig, provider: Provider, model: string): Endpoint {
  const { providers } = config;
  if (provider === "ollama") {
    // Always this literal: the OpenAI key is never sent to a local server.
    return { baseUrl: ollamaUrl(config, model), apiKey: "ollama", keyHint: "llm.ollama.base_url" };
  }
  const variable = `${provider.toUpperCase()}_API_KEY`;
  const { apiKey } = providers[provider];
  const baseUrl = checkedUrl(provider, model, providers[provider].baseUrl) || URLS[provider];
  const needsNone =
    (provider === "anthropic" && providers.anthropic.sdkCredentials === true) ||
    (provider === "openai" && baseUrl !== URLS.openai);
  if (apiKey === "" && !needsNone)
    throw unavailable(model, `${provider} isn't set up: set llm.${provider}.api_key or ${variable}`);
  return { baseUrl, apiKey, keyHint: `llm.${provider}.api_key or ${variable}` };
}

/** Says that no model can be built, and why. */
export function unavailable(model: string, message: string): Error {
  return apiError("MODEL_UNAVAILABLE", message, { model });
}

/** Its own address, else OpenAI's when that was changed, else this machine; never api.openai.com. */
function ollamaUrl({ providers }: ModelsConfig, model: string): string {
  const own = checkedUrl("ollama", model, providers.ollama.baseUrl);
  if (own !== "") return own;
  const shared = checkedUrl("openai", model, providers.openai.baseUrl);
  return shared === "" || new URL(shared).host === new URL(URLS.openai).host ? URLS.ollama : shared;
}

function checkedUrl(provider: Provider, model: string, url: string): string {
  const trimmed = url.trim().replace(/\/+$/, "");
  const isWeb = URL.canParse(trimmed) && /^https?:$/.test(new URL(trimmed).protocol);
  if (trimmed !== "" && !isWeb)
    throw unavailable(model, `llm.${provider}.base_url isn't an http or https address: ${url}`);
  return trimmed;
}
