// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ModelInfo } from "@blitz/api";
import type { Config } from "@blitz/config";
import {
  type ChatModel,
  createFetch,
  type Fetch,
  type ModelsConfig,
  newModel,
  parseModelRef,
} from "../models/index.js";
import type { ModelChoice } from "../services/index.js";
import type { OpenOptions } from "./open-options.js";

const DEMO: string = "demo/tour";
const OPENAI_URL: string = "https://api.openai.com/v1";
const OLLAMA_URL: string = "http://localhost:11434/v1";

/**
 * The model in use: the one given, the built-in demo, or the configured one, built when first asked
 * for. A model that can't be built never stops a workspace from opening (WS-05).
 */
export function createModelChoice({
  config,
  model,
  env,
  warn,
}: Pick<OpenOptions, "config" | "model" | "env" | "warn">): ModelChoice {
  let wantedRef = config.blitz.default_model;
  let built: Promise<ChatModel> | undefined = model === undefined ? undefined : Promise.resolve(model);
  const leftOut = (fallback: string, why: string): void => warn(`llm.fallback_models: ${fallback} is left out: ${why}`);
  const build = async (ref: string): Promise<ChatModel> =>
    await buildModel({ config, env }, ref, (models, fetch) =>
      newModel(models, ref === "" ? undefined : ref, { fetch, leftOut }),
    );
  return {
    current: async () => {
      built ??= build(wantedRef);
      try {
        return await built;
      } catch (error) {
        built = undefined; // settings may be mended meanwhile: the next turn tries again
        throw error;
      }
    },
    wanted: (): ModelInfo => ({ name: wantedRef, provider: config.llm.provider }),
    choose: async (ref) => {
      parseModelRef(ref, "anthropic"); // a broken reference is refused as one, before anything is built
      const chosen = await build(ref);
      built = Promise.resolve(chosen);
      wantedRef = ref;
    },
  };
}

/**
 * A model of the settings, the built-in demo among them; `make` builds it, with what stands behind it or alone.
 *
 * @param ref - what was asked for; "" = the provider's own
 * @throws ApiError `MODEL_UNAVAILABLE` `BAD_MODEL_REF`
 */
export async function buildModel(
  { config, env }: Pick<OpenOptions, "config" | "env">,
  ref: string,
  make: (models: ModelsConfig, fetch: Fetch) => ChatModel,
): Promise<ChatModel> {
  if (ref === DEMO) {
    const { createDemoModel } = await import("../models/demo/index.js");
    return createDemoModel();
  }
  const fetch = createFetch();
  return make(await withOllama(modelsConfigOf(config, env), ref, fetch), fetch);
}

/** The `[llm]` settings as the models room takes them. */
export function modelsConfigOf({ llm, blitz }: Config, env: OpenOptions["env"]): ModelsConfig {
  const of = ({ api_key, base_url, model }: Config["llm"]["openai"]): ModelsConfig["providers"]["openai"] => ({
    apiKey: api_key,
    baseUrl: base_url,
    model,
  });
  const openaiUrl = llm.openai.base_url === OPENAI_URL ? "" : llm.openai.base_url;
  return {
    provider: llm.provider,
    defaultModel: blitz.default_model,
    maxRetries: llm.max_retries,
    stallTimeoutMs: llm.stall_timeout_seconds * 1_000,
    fallbackModels: llm.fallback_models,
    providers: {
      anthropic: {
        ...of(llm.anthropic),
        fallbacks: llm.anthropic.fallbacks,
        sdkCredentials: (env["ANTHROPIC_AUTH_TOKEN"] ?? "") !== "",
      },
      gemini: of(llm.gemini),
      openai: { ...of(llm.openai), baseUrl: openaiUrl },
      ollama: { baseUrl: llm.ollama.base_url, model: llm.ollama.model },
    },
  };
}

/** Looks for a local Ollama only where the answer matters: nothing is set up, or its model isn't (BEY-02). */
async function withOllama(models: ModelsConfig, ref: string, fetch: Fetch): Promise<ModelsConfig> {
  const { anthropic, gemini, openai, ollama } = models.providers;
  const named = ref === "" ? models.defaultModel : ref;
  const nothing =
    models.provider === "" &&
    !named.includes("/") &&
    [anthropic.apiKey, gemini.apiKey, openai.apiKey, openai.baseUrl].every((one) => one === "") &&
    anthropic.sdkCredentials !== true;
  const isOllama = nothing || models.provider === "ollama";
  if (!isOllama || named !== "" || ollama.model !== "" || openai.model !== "") return models;
  const found = await listOllamaModels(ollama.baseUrl || (openai.baseUrl === "" ? OLLAMA_URL : openai.baseUrl), fetch);
  if (found === undefined || found.length === 0) return { ...models, environmentHasOllama: false };
  return {
    ...models,
    provider: "ollama",
    providers: { ...models.providers, ollama: { ...ollama, model: found[0] ?? "" } },
  };
}

async function listOllamaModels(baseUrl: string, fetch: Fetch): Promise<readonly string[] | undefined> {
  const { listOllamaModels: list } = await import("../models/ollama/index.js");
  return await list(baseUrl, fetch);
}
