// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { createBreaker } from "../breaker/index.js";
import { createAnthropicModel } from "./anthropic/index.js";
import { type ChainNotice, createChain } from "./chain.js";
import type { ChatModel, GenSettings } from "./chat-model.js";
import { endpointOf, unavailable } from "./endpoints.js";
import { createGeminiModel } from "./gemini/index.js";
import type { ModelsConfig } from "./models-config.js";
import { type ModelRef, type Provider, parseModelRef, providerNamed } from "./model-ref.js";
import { DEFAULT_MODELS } from "./model-table.js";
import { createOpenAiModel } from "./openai/index.js";
import { createFetch, type Fetch } from "./wire/index.js";

/** What models share and how they speak up. All are optional: a test or `doctor` leaves them out. */
export interface ModelDeps {
  /** One a process, so that sockets are shared (MDL-50). */
  readonly fetch?: Fetch;
  /** Told when a fallback takes over and when the primary is back (MDL-64). */
  readonly notice?: (notice: ChainNotice) => void;
  /** Told of a fallback that can't be built; it is left out (MDL-02). */
  readonly leftOut?: (ref: string, why: string) => void;
  /** A model's own settings, looked up at each call; they win over the request's (MDL-71). */
  readonly settingsFor?: (model: string) => GenSettings;
}

/**
 * Builds the model to use: `ref`, else the default model, else the provider's; with the fallback
 * models behind it (MDL-02). Nothing is connected and no SDK loaded before the first call.
 *
 * @throws ApiError `MODEL_UNAVAILABLE` naming what to set, `BAD_MODEL_REF` for a broken reference
 */
export function newModel(config: ModelsConfig, ref?: string, deps: ModelDeps = {}): ChatModel {
  const shared = { ...deps, fetch: deps.fetch ?? createFetch() };
  const target = targetOf(config, ref);
  const primary = build(config, target, shared);
  const backups = (config.fallbackModels ?? []).flatMap((fallback): ChatModel[] => {
    try {
      return [build(config, parseModelRef(fallback, target.provider), shared)];
    } catch (error) {
      if (!isReason(error, "MODEL_UNAVAILABLE", "BAD_MODEL_REF")) throw error;
      deps.leftOut?.(fallback, error.message);
      return [];
    }
  });
  if (backups.length === 0) return primary;
  const [first, ...others] = [primary, ...backups].map((model) => ({
    model,
    breaker: createBreaker({ threshold: 1, now: () => performance.now() }),
  }));
  return first === undefined ? primary : createChain(first, others, deps.notice ?? (() => {}));
}

/** Builds exactly one model, without the chain, for `doctor` (MDL-02). Throws as `newModel` does. */
export function newModelRef(config: ModelsConfig, ref: string, deps: ModelDeps = {}): ChatModel {
  return build(config, targetOf(config, ref), { ...deps, fetch: deps.fetch ?? createFetch() });
}

/** Builds exactly one fallback model; a bare name is one of the main model's provider. Throws as `newModel` does. */
export function newFallback(config: ModelsConfig, ref: string, deps: ModelDeps = {}): ChatModel {
  const { provider } = targetOf(config, undefined);
  return build(config, parseModelRef(ref, provider), { ...deps, fetch: deps.fetch ?? createFetch() });
}

function targetOf(config: ModelsConfig, ref: string | undefined): ModelRef {
  const wanted = ref ?? config.defaultModel;
  // A reference that names its provider works whatever else is set up.
  const named = wanted.includes("/") ? providerNamed(wanted.slice(0, wanted.indexOf("/"))) : undefined;
  const provider = named ?? defaultProvider(config);
  if (wanted !== "") return parseModelRef(wanted, provider);
  return { provider, model: modelOf(config, provider) };
}

function modelOf({ providers }: ModelsConfig, provider: Provider): string {
  const own = providers[provider].model;
  if (own !== "") return own;
  return provider === "ollama" ? providers.openai.model : DEFAULT_MODELS[provider];
}

/** MDL-10. */
function defaultProvider(config: ModelsConfig): Provider {
  const { anthropic, gemini, openai } = config.providers;
  if (config.provider !== "") {
    const named = providerNamed(config.provider);
    if (named !== undefined) return named;
    if (gemini.apiKey !== "") return "gemini";
    throw unavailable(config.provider, `unsupported or unconfigured LLM provider: ${config.provider}`);
  }
  if (gemini.apiKey !== "") return "gemini";
  if (anthropic.apiKey !== "" || anthropic.sdkCredentials === true) return "anthropic";
  if (openai.apiKey !== "" || openai.baseUrl !== "") return "openai";
  if (config.environmentHasOllama === false)
    throw unavailable(
      "",
      "no model provider is set up: set llm.anthropic.api_key, llm.gemini.api_key or llm.openai.api_key (or ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENAI_API_KEY), or start Ollama",
    );
  return "ollama";
}

function build(
  config: ModelsConfig,
  { provider, model }: ModelRef,
  deps: ModelDeps & { readonly fetch: Fetch },
): ChatModel {
  const { baseUrl, apiKey, keyHint } = endpointOf(config, provider, model);
  const common = {
    model,
    baseUrl,
    apiKey,
    keyHint,
    maxRetries: Math.max(0, config.maxRetries),
    stallTimeoutMs: config.stallTimeoutMs > 0 ? config.stallTimeoutMs : 600_000,
    fetch: deps.fetch,
  };
  return withOwnSettings(create(), deps.settingsFor);

  function create(): ChatModel {
    switch (provider) {
      case "anthropic":
        return createAnthropicModel({ ...common, fallbacks: config.providers.anthropic.fallbacks });
      case "gemini":
        return createGeminiModel(common);
      case "openai":
      case "ollama":
        return createOpenAiModel({ ...common, provider });
    }
  }
}

/** Gives a model its own settings on every call; the request itself is shared and stays as it is. */
function withOwnSettings(model: ChatModel, settingsFor: ModelDeps["settingsFor"]): ChatModel {
  if (settingsFor === undefined) return model;
  return {
    provider: model.provider,
    name: model.name,
    maxOutput: model.maxOutput,
    generate: (request) =>
      model.generate({ ...request, settings: { ...request.settings, ...settingsFor(model.name) } }),
  };
}
