// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { ModelError } from "./chat-model.js";
import type { Provider } from "./model-ref.js";
import type { ModelsConfig } from "./models-config.js";
import { endpointOf } from "./endpoints.js";
import { type About, answerBody, createFetch, type Fetch, fromHttp, fromThrown } from "./wire/index.js";

/** Longest a provider may take to list its models, in milliseconds. */
const LIST_MS = 20_000;

/**
 * The names of a provider's models that can chat, as it lists them (MDL-56).
 *
 * @throws ModelError when the provider refuses or doesn't answer within 20 s; ApiError
 *   `MODEL_UNAVAILABLE` when it isn't set up; the signal's reason when aborted
 */
export async function listModels(
  config: ModelsConfig,
  provider: Provider,
  signal: AbortSignal,
  fetch: Fetch = createFetch(),
): Promise<readonly string[]> {
  const { baseUrl, apiKey, keyHint } = endpointOf(config, provider, "");
  const about: About = { provider, model: "", secret: provider === "ollama" ? "" : apiKey, keyHint };
  const limit = AbortSignal.timeout(LIST_MS);
  const both = AbortSignal.any([signal, limit]);
  try {
    const response = await fetch(listUrl(provider, baseUrl), { headers: headersFor(provider, apiKey), signal: both });
    const { status, headers } = response;
    if (!response.ok) throw fromHttp(about, { status, headers, body: await response.text() });
    return namesOf(provider, (await answerBody(about, response)) as JsonObject);
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new ModelError("stalled", `${provider} didn't list its models within ${LIST_MS / 1000} s`, about, error);
    throw fromThrown(about, error, signal);
  }
}

function listUrl(provider: Provider, baseUrl: string): string {
  if (provider === "gemini") return `${baseUrl}/v1beta/models?pageSize=1000`;
  return provider === "anthropic" ? `${baseUrl}/v1/models?limit=1000` : `${baseUrl}/models`;
}

function headersFor(provider: Provider, apiKey: string): Record<string, string> {
  if (provider === "gemini") return { "x-goog-api-key": apiKey };
  if (provider === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  return apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
}

function namesOf(provider: Provider, body: JsonObject): readonly string[] {
  const rows = body[provider === "gemini" ? "models" : "data"];
  return (Array.isArray(rows) ? (rows as JsonObject[]) : []).flatMap((row) => {
    const name = row[provider === "gemini" ? "name" : "id"];
    const methods = row["supportedGenerationMethods"];
    const chats = !Array.isArray(methods) || methods.includes("generateContent");
    return typeof name === "string" && chats ? [name.replace(/^models\//, "")] : [];
  });
}
