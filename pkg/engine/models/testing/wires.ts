// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  type FakeProvider,
  type FakeProviderOptions,
  type ReceivedRequest,
  startFakeProvider,
} from "@blitz/fakeprovider";
import { createAnthropicModel } from "../anthropic/index.js";
import type { ChatModel } from "../chat-model.js";
import { createGeminiModel } from "../gemini/index.js";
import { createOpenAiModel } from "../openai/index.js";
import { createFetch } from "../wire/index.js";

/** Every wire an adapter speaks. */
export const WIRES = ["anthropic", "responses", "chat", "gemini"] as const;

/** What a test may change of a model. */
export interface Limits {
  readonly maxRetries?: number;
  readonly stallTimeoutMs?: number;
  readonly model?: string;
}

/** A key no message may show. */
export const TEST_KEY: string = "test-key-0000000000";

/** A fake that speaks one wire, and models for it. */
export interface WireUnderTest extends AsyncDisposable {
  readonly fake: FakeProvider;
  model(limits?: Limits): ChatModel;
  /** Requests on this wire; a refused Responses request before Chat isn't one. */
  requests(): readonly ReceivedRequest[];
}

/** Starts a fake for one wire. */
export async function openWire(
  wire: (typeof WIRES)[number],
  options: FakeProviderOptions = {},
): Promise<WireUnderTest> {
  const fake = await startFakeProvider(wire === "chat" ? { ...options, without: ["responses"] } : options);
  const fetch = createFetch();
  const model = (limits: Limits = {}): ChatModel => {
    const common = {
      apiKey: TEST_KEY,
      maxRetries: 0,
      stallTimeoutMs: 5_000,
      fetch,
      keyHint: `llm.${wire}.api_key`,
      ...limits,
    };
    if (wire === "anthropic")
      return createAnthropicModel({ model: "claude-opus-5-5", fallbacks: "off", baseUrl: fake.url, ...common });
    if (wire === "gemini") return createGeminiModel({ model: "gemini-3.8-flash", baseUrl: fake.url, ...common });
    return createOpenAiModel({ provider: "openai", model: "gpt-6.2-sol", baseUrl: `${fake.url}/v1`, ...common });
  };
  return {
    fake,
    model,
    requests: () => fake.requests.filter((request) => request.wire === wire),
    [Symbol.asyncDispose]: () => fake.close(),
  };
}
