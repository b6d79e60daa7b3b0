// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { BaseAnthropic } from "@anthropic-ai/sdk/client";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/beta/messages";
import type { JsonObject } from "@blitz/api";
import type { CallUsage, Part } from "../../history/index.js";
import type { ChatModel, ModelEvent, ModelFinal, ModelRequest } from "../chat-model.js";
import {
  type About,
  answerBody,
  callAttempts,
  type Fetch,
  fromStreamError,
  isWhole,
  readStream,
  type StallWatch,
  unusable,
} from "../wire/index.js";
import { finalOf } from "./blocks.js";
import { maxOutputOf } from "./abilities.js";
import { anthropicBody } from "./request.js";
import { createAssembly, wholeAnswer } from "./stream.js";

/** How to reach Claude. */
export interface AnthropicConfig {
  readonly model: string;
  /** "" = the SDK finds credentials itself: environment or a signed-in profile. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** What to set when the key is refused, for messages. */
  readonly keyHint: string;
  /** What happens to a declined request: `default`, a model, or `off` (MDL-26). */
  readonly fallbacks: string;
  readonly maxRetries: number;
  readonly stallTimeoutMs: number;
  readonly fetch: Fetch;
}

/** How often a turn the server paused is taken up again. */
const MOST_PAUSES = 8;

/** Makes a Claude model. The SDK is loaded at the first call. */
export function createAnthropicModel(config: AnthropicConfig): ChatModel {
  const { model } = config;
  const about: About = {
    provider: "anthropic",
    model,
    secret: config.apiKey,
    keyHint: config.keyHint,
  };
  let client: Promise<BaseAnthropic> | undefined;
  const attempt = async function* (request: ModelRequest, watch: StallWatch): AsyncGenerator<ModelEvent> {
    client ??= loadClient(config);
    const body = anthropicBody(model, config.fallbacks, request);
    const earlier: Part[] = [];
    let used: CallUsage = { input: 0, cached: 0, cacheWrite: 0, output: 0 };
    for (let pauses = 0; ; pauses++) {
      const { final, paused } = yield* callOnce({ about, client: await client, body, request, watch });
      used = addCounts(used, final.usage);
      if (paused === undefined || pauses === MOST_PAUSES) {
        yield { ...final, parts: [...earlier, ...final.parts], usage: used };
        return;
      }
      earlier.push(...final.parts);
      body.messages.push({ role: "assistant", content: paused as never });
    }
  };
  return {
    provider: "anthropic",
    name: model,
    maxOutput: maxOutputOf(model),
    generate: (request) =>
      callAttempts({ about, ...limitsOf(config) }, (watch) => attempt(request, watch), request.signal),
  };
}

function limitsOf({ maxRetries, stallTimeoutMs }: AnthropicConfig): { maxRetries: number; stallTimeoutMs: number } {
  return { maxRetries, stallTimeoutMs };
}

/** The longest timer there is: the whole call has no limit, only stalls have (MDL-50). */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

async function loadClient(config: AnthropicConfig): Promise<BaseAnthropic> {
  // The base of the SDK's client; the full one would load every other service of the API with it.
  const { BaseAnthropic: Client } = await import("./sdk.js");
  return new Client({
    baseURL: config.baseUrl,
    ...(config.apiKey === "" ? {} : { apiKey: config.apiKey }),
    fetch: config.fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: "off",
  });
}

interface OneCall {
  readonly about: About;
  readonly client: BaseAnthropic;
  readonly body: MessageCreateParamsNonStreaming;
  readonly request: ModelRequest;
  readonly watch: StallWatch;
}

interface OneAnswer {
  readonly final: ModelFinal;
  /** The content to send back when the server paused the turn. */
  readonly paused?: readonly object[];
}

async function* callOnce({ about, client, body, request, watch }: OneCall): AsyncGenerator<ModelEvent, OneAnswer> {
  const response = await post(client, request.stream ? { ...body, stream: true } : body, watch.signal);
  if (!request.stream || isWhole(response)) {
    const message = (await answerBody(about, response)) as JsonObject;
    if (message["type"] === "error") throw fromStreamError(about, message["error"]);
    if (typeof message["stop_reason"] !== "string") throw unusable(about, "the answer has no stop reason");
    return pausable(finalOf(wholeAnswer(message), request), message["stop_reason"], message["content"]);
  }
  const assembly = createAssembly(about);
  yield* readStream({ about, response, watch }, assembly.take);
  const answer = assembly.answer();
  return pausable(finalOf(answer, request), answer.stopReason, undefined);
}

/**
 * `client.beta.messages.create`, answered with the response as it is: the resource class would print
 * warnings about old models to the terminal, and its reader skips what MDL-33 wants noticed.
 */
function post(
  client: BaseAnthropic,
  { betas, ...body }: Omit<MessageCreateParamsNonStreaming, "stream"> & { readonly stream?: boolean },
  signal: AbortSignal,
): Promise<Response> {
  const headers = betas === undefined ? {} : { "anthropic-beta": betas.join(",") };
  const options = { body, headers, query: { beta: "true" }, stream: body.stream === true, signal };
  return client.post("/v1/messages", options).asResponse();
}

/** Only server-run tools pause a turn; Blitz offers none, so their content is echoed from whole bodies alone. */
function pausable(final: ModelFinal, reason: string | null, content: unknown): OneAnswer {
  if (reason !== "pause_turn") return { final };
  const echo = Array.isArray(content) ? (content as object[]) : final.parts.flatMap(echoed);
  return echo.length === 0 ? { final } : { final, paused: echo };
}

function echoed(part: Part): object[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type !== "thought" || part.signature === undefined) return [];
  return [{ type: "thinking", thinking: part.text, signature: part.signature }];
}

/** Usage of two calls that made one answer. */
function addCounts(a: CallUsage, b: CallUsage): CallUsage {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}
