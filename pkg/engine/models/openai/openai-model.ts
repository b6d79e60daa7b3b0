// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { OpenAI } from "openai/client";
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest } from "../chat-model.js";
import {
  type About,
  answerBody,
  callAttempts,
  type Fetch,
  isWhole,
  readStream,
  type StallWatch,
} from "../wire/index.js";
import { chatBody } from "./chat-request.js";
import { createChatAssembly, finalOfCompletion } from "./chat-stream.js";
import { responsesBody } from "./responses-request.js";
import { createResponseAssembly, finalOfResponse } from "./responses-stream.js";

/** How to reach a server that speaks OpenAI's APIs. */
export interface OpenAiConfig {
  readonly provider: "openai" | "ollama";
  /** "" = the first model the server lists. */
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** What to set when the key is refused, for messages. */
  readonly keyHint: string;
  readonly maxRetries: number;
  readonly stallTimeoutMs: number;
  readonly fetch: Fetch;
}

/**
 * Makes a model of OpenAI, Ollama or a compatible server. The SDK is loaded at the first call. A server
 * that doesn't know the Responses API is asked by Chat Completions from then on (MDL-39).
 */
export function createOpenAiModel(config: OpenAiConfig): ChatModel {
  const about: About = {
    provider: config.provider,
    model: config.model,
    secret: config.provider === "ollama" ? "" : config.apiKey,
    keyHint: config.keyHint,
  };
  let client: Promise<OpenAI> | undefined;
  let listed = config.model;
  let onlyChat = false;
  const attempt = async function* (request: ModelRequest, watch: StallWatch): AsyncGenerator<ModelEvent> {
    client ??= loadClient(config);
    const openai = await client;
    if (listed === "") listed = await firstListed(openai, watch.signal);
    const call: OneCall = { about: { ...about, model: listed }, openai, request, watch };
    if (!onlyChat) {
      const response = await responsesAnswer(call);
      if (response !== undefined) return yield* readResponse(call, response);
      onlyChat = true;
    }
    yield* readChat(call, await chatAnswer(call));
  };
  return {
    provider: config.provider,
    name: config.model === "" ? config.provider : config.model,
    maxOutput: /^(gpt-4|gpt-3)/.test(config.model) || config.provider === "ollama" ? 16_384 : 128_000,
    generate: (request) =>
      callAttempts(
        { about, maxRetries: config.maxRetries, stallTimeoutMs: config.stallTimeoutMs },
        (watch) => attempt(request, watch),
        request.signal,
      ),
  };
}

/** The longest timer there is: the whole call has no limit, only stalls have (MDL-50). */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

async function loadClient(config: OpenAiConfig): Promise<OpenAI> {
  const { OpenAI: Client } = await import("./sdk.js");
  return new Client({
    apiKey: config.apiKey === "" ? "none" : config.apiKey,
    baseURL: config.baseUrl,
    // What the environment says of OpenAI accounts is no business of other servers.
    ...(config.provider === "ollama" ? { organization: null, project: null } : {}),
    fetch: config.fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: "off",
  });
}

async function firstListed(openai: OpenAI, signal: AbortSignal): Promise<string> {
  const page = await openai.models.list({ signal });
  const first = page.data[0]?.id;
  if (first === undefined) {
    const about = { provider: "ollama", model: "" };
    throw new ModelError("bad_request", "the server lists no models; pull one or set llm.ollama.model", about);
  }
  return first;
}

interface OneCall {
  readonly about: About;
  readonly openai: OpenAI;
  readonly request: ModelRequest;
  readonly watch: StallWatch;
}

/** The answer of the Responses API; undefined when the server doesn't have it. */
async function responsesAnswer({ about, openai, request, watch }: OneCall): Promise<Response | undefined> {
  const body = responsesBody(about.model, about.provider, request);
  try {
    const sent = request.stream ? { ...body, stream: true as const } : body;
    return await openai.responses.create(sent, { signal: watch.signal }).asResponse();
  } catch (error) {
    const { status, code } = error as { status?: number; code?: unknown };
    if ((status === 404 || status === 405) && code !== "model_not_found") return undefined;
    throw error;
  }
}

async function* readResponse({ about, request, watch }: OneCall, response: Response): AsyncGenerator<ModelEvent> {
  if (!request.stream || isWhole(response)) {
    yield finalOfResponse(about, (await answerBody(about, response)) as JsonObject, request);
    return;
  }
  const assembly = createResponseAssembly(about, request);
  yield* readStream({ about, response, watch }, assembly.take);
  yield assembly.final();
}

function chatAnswer({ about, openai, request, watch }: OneCall): Promise<Response> {
  const body = chatBody(about.model, about.provider, request);
  const sent = request.stream ? { ...body, stream: true as const, stream_options: { include_usage: true } } : body;
  return openai.chat.completions.create(sent, { signal: watch.signal }).asResponse();
}

async function* readChat({ about, request, watch }: OneCall, response: Response): AsyncGenerator<ModelEvent> {
  if (!request.stream || isWhole(response)) {
    yield finalOfCompletion(about, (await answerBody(about, response)) as JsonObject, request);
    return;
  }
  const assembly = createChatAssembly(about, request);
  yield* readStream({ about, response, watch }, assembly.take);
  yield assembly.final();
}
