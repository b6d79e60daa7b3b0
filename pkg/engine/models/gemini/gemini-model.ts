// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { GoogleGenAI } from "@google/genai/web";
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest } from "../chat-model.js";
import {
  type About,
  answerBody,
  callAttempts,
  type Fetch,
  fromHttp,
  isWhole,
  readStream,
  type StallWatch,
  unusable,
} from "../wire/index.js";
import { createGeminiAssembly, type GeminiAssembly } from "./answer.js";
import { geminiBody } from "./request.js";

/** How to reach Gemini. */
export interface GeminiConfig {
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** What to set when the key is refused, for messages. */
  readonly keyHint: string;
  readonly maxRetries: number;
  readonly stallTimeoutMs: number;
  readonly fetch: Fetch;
}

/** Makes a Gemini model. The SDK is loaded at the first call. */
export function createGeminiModel(config: GeminiConfig): ChatModel {
  const { model } = config;
  const about: About = {
    provider: "gemini",
    model,
    secret: config.apiKey,
    keyHint: config.keyHint,
  };
  let client: Promise<GoogleGenAI> | undefined;
  const attempt = async function* (request: ModelRequest, watch: StallWatch): AsyncGenerator<ModelEvent> {
    client ??= loadClient(config);
    const call: OneCall = { about, client: await client, fetch: config.fetch, request, watch };
    const first = yield* ask(call, undefined);
    const garbled = first.garbled();
    if (garbled === undefined) return yield first.final();
    const second = yield* ask(call, garbled);
    if (second.garbled() === undefined) return yield second.final();
    throw new ModelError("bad_request", `gemini gave no usable answer twice: ${second.garbled()}`, about);
  };
  return {
    provider: "gemini",
    name: model,
    maxOutput: 65_536,
    generate: (request) =>
      callAttempts(
        { about, maxRetries: config.maxRetries, stallTimeoutMs: config.stallTimeoutMs },
        (watch) => attempt(request, watch),
        request.signal,
      ),
  };
}

async function loadClient({ apiKey, baseUrl }: GeminiConfig): Promise<GoogleGenAI> {
  // The entry without Google's sign-in library, which an API key doesn't need: a sixth of the time to load.
  const { GoogleGenAI: Client } = await import("./sdk.js");
  return new Client({
    apiKey,
    vertexai: false,
    httpOptions: {
      baseUrl,
      apiVersion: "v1beta",
    },
  });
}

interface OneCall {
  readonly about: About;
  readonly client: GoogleGenAI;
  readonly fetch: Fetch;
  readonly request: ModelRequest;
  readonly watch: StallWatch;
}

/** Asks once; `garbled` says what was wrong with the answer before. */
async function* ask(call: OneCall, garbled: string | undefined): AsyncGenerator<ModelEvent, GeminiAssembly> {
  const { about, request, watch } = call;
  const response = await send(call, garbled);
  const assembly = createGeminiAssembly(about, request);
  if (request.stream && !isWhole(response)) {
    yield* readStream({ about, response, watch }, assembly.take);
    return assembly;
  }
  const steps = assembly.take((await answerBody(about, response)) as JsonObject);
  if (!steps.some((step) => step.ended === true)) throw unusable(about, "the answer has no candidates");
  return assembly;
}

/**
 * Has the SDK build and send the request, and takes the response before the SDK reads it: its own
 * reader costs five times as much and misses cut streams (MDL-33).
 */
async function send({ about, client, fetch, request, watch }: OneCall, garbled: string | undefined): Promise<Response> {
  let taken: Response | undefined;
  const tapped: Fetch = async (input, init) => {
    const response = await fetch(input, { ...init, signal: watch.signal });
    if (!response.ok)
      throw fromHttp(about, { status: response.status, headers: response.headers, body: await response.text() });
    taken = response;
    return new Response("{}", { headers: { "content-type": "application/json" } });
  };
  const { contents, config, ...rest } = geminiBody(about.model, request);
  const again = garbled === undefined ? [] : [{ role: "user", parts: [{ text: explain(garbled) }] }];
  const sent = {
    ...rest,
    contents: [...contents, ...again],
    config: { ...config, abortSignal: watch.signal, httpOptions: { fetch: tapped } },
  };
  await (request.stream ? client.models.generateContentStream(sent) : client.models.generateContent(sent));
  if (taken === undefined) throw unusable(about, "the request wasn't sent");
  return taken;
}

function explain(garbled: string): string {
  return `Your last answer couldn't be used (${garbled}). Answer again; call a function only with valid JSON arguments.`;
}
