// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { startFakeProvider } from "@blitz/fakeprovider";
import { describe, expect, it } from "vitest";
import { type ChainNotice, listModels, type ModelsConfig, newModel, newModelRef, PROVIDERS } from "./index.js";
import { requestFor, run } from "./testing/calls.js";

const never = new AbortController().signal;

type Changes = Partial<Omit<ModelsConfig, "providers">> & {
  readonly [P in keyof ModelsConfig["providers"]]?: Partial<ModelsConfig["providers"][P]>;
};

function configWith({ anthropic, gemini, openai, ollama, ...rest }: Changes = {}): ModelsConfig {
  const none = { apiKey: "", baseUrl: "", model: "" };
  return {
    provider: "",
    defaultModel: "",
    maxRetries: 0,
    stallTimeoutMs: 5_000,
    providers: {
      anthropic: { ...none, fallbacks: "off", ...anthropic },
      gemini: { ...none, ...gemini },
      openai: { ...none, ...openai },
      ollama: { baseUrl: "", model: "", ...ollama },
    },
    ...rest,
  };
}
const named = (config: ModelsConfig, ref?: string): string => {
  const model = newModel(config, ref);
  return `${model.provider}/${model.name}`;
};
const KEY = { apiKey: "k-0000" };

describe("newModel", () => {
  it.each<[string, Changes, string]>([
    ["Gemini before all", { gemini: KEY, anthropic: KEY, openai: KEY }, "gemini/gemini-3.8-flash"],
    ["Anthropic next", { anthropic: KEY, openai: KEY }, "anthropic/claude-opus-5-5"],
    ["Anthropic with credentials of its own", { anthropic: { sdkCredentials: true } }, "anthropic/claude-opus-5-5"],
    ["OpenAI with a key", { openai: KEY }, "openai/gpt-6.2-sol"],
    ["OpenAI with an address", { openai: { baseUrl: "http://127.0.0.1:1/v1" } }, "openai/gpt-6.2-sol"],
    ["Ollama last", {}, "ollama/ollama"],
    ["its own model", { anthropic: { ...KEY, model: "claude-opus-5" } }, "anthropic/claude-opus-5"],
    ["the default model", { anthropic: { ...KEY, model: "a" }, defaultModel: "b" }, "anthropic/b"],
    ["the default model's provider", { anthropic: KEY, openai: KEY, defaultModel: "openai/x" }, "openai/x"],
    ["the named provider", { provider: "OpenAI", gemini: KEY, openai: KEY }, "openai/gpt-6.2-sol"],
    ["Gemini for an unknown provider", { provider: "else", gemini: KEY }, "gemini/gemini-3.8-flash"],
  ])("chooses %s (MDL-10)", (_name, changes, expected) => {
    expect(named(configWith(changes))).toBe(expected);
  });

  it("takes the reference before everything else (MDL-02)", () => {
    const config = configWith({ anthropic: KEY, openai: KEY, defaultModel: "b" });
    expect(named(config, "openai/anthropic/claude")).toBe("openai/anthropic/claude");
    expect(named(config, "claude-sonnet-5")).toBe("anthropic/claude-sonnet-5");
    expect(newModelRef(config, "openai/x").name).toBe("x");
  });

  it.each<[string, Changes, string | undefined, RegExp]>([
    ["no Gemini key", { provider: "gemini" }, undefined, /llm\.gemini\.api_key or GEMINI_API_KEY/],
    ["no Anthropic key", { provider: "anthropic" }, undefined, /llm\.anthropic\.api_key or ANTHROPIC_API_KEY/],
    ["no OpenAI key", {}, "openai/x", /llm\.openai\.api_key or OPENAI_API_KEY/],
    ["an unknown provider", { provider: "else" }, undefined, /unsupported or unconfigured LLM provider/],
    [
      "an address that isn't the web's",
      { anthropic: { ...KEY, baseUrl: "file:///x" } },
      undefined,
      /llm\.anthropic\.base_url/,
    ],
    ["nothing at all", { environmentHasOllama: false }, undefined, /no model provider is set up/],
  ])("says what to set: %s", (_name, changes, ref, message) => {
    expect(() => newModel(configWith(changes), ref)).toThrow(
      expect.objectContaining({ reason: "MODEL_UNAVAILABLE", message: expect.stringMatching(message) }),
    );
  });

  it("reaches every provider at its base_url (MDL-13)", async () => {
    await using fake = await startFakeProvider();
    const config = configWith({
      anthropic: { ...KEY, baseUrl: fake.url },
      gemini: { ...KEY, baseUrl: `${fake.url}/` },
      openai: { ...KEY, baseUrl: `${fake.url}/v1` },
      ollama: { baseUrl: `${fake.url}/v1` },
    });
    for (const ref of ["anthropic/a", "gemini/g", "openai/o", "ollama/l"])
      await run(newModel(config, ref), requestFor());
    expect(fake.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1beta/models/g:streamGenerateContent",
      "/v1/responses",
      "/v1/responses",
    ]);
    expect(fake.violations).toEqual([]);
  });

  it("never sends Ollama the OpenAI key, and prefers [llm.ollama] (MDL-13)", async () => {
    await using fake = await startFakeProvider({ models: ["qwen:7b"], without: ["responses"] });
    await using other = await startFakeProvider();
    const openai = { apiKey: "sk-secret", baseUrl: `${other.url}/v1`, model: "shared" };
    await run(
      newModel(configWith({ provider: "ollama", openai, ollama: { baseUrl: `${fake.url}/v1` } })),
      requestFor(),
    );
    await run(newModel(configWith({ provider: "ollama", openai })), requestFor());
    expect(fake.requests.at(-1)).toMatchObject({ body: { model: "shared" } });
    expect(other.requests).toHaveLength(1);
    for (const { headers } of [...fake.requests, ...other.requests])
      expect(headers["authorization"]).toBe("Bearer ollama");
  });

  it("asks Ollama's list when no model is set", async () => {
    await using fake = await startFakeProvider({ models: ["qwen:7b"] });
    await run(newModel(configWith({ ollama: { baseUrl: `${fake.url}/v1` } })), requestFor());
    expect(fake.requests[0]).toMatchObject({ body: { model: "qwen:7b" } });
  });

  it("falls from a failing OpenAI server to an Anthropic one, and names the fallbacks it left out (MDL-02, MDL-60)", async () => {
    await using fake = await startFakeProvider();
    fake.script({ status: 500, body: { error: { message: "down" } } }, { text: "Here." });
    const notices: ChainNotice[] = [];
    const leftOut: string[] = [];
    const config = configWith({
      provider: "openai",
      openai: { ...KEY, baseUrl: `${fake.url}/v1` },
      anthropic: { ...KEY, baseUrl: fake.url },
      fallbackModels: ["gemini/none", "a=b", "anthropic/claude-opus-5"],
    });
    const model = newModel(config, undefined, { notice: (n) => notices.push(n), leftOut: (ref) => leftOut.push(ref) });
    const { final } = await run(model, requestFor());
    expect(final).toMatchObject({ fallbackFrom: "gpt-6.2-sol", servedBy: "claude-opus-5", parts: [{ text: "Here." }] });
    expect(leftOut).toEqual(["gemini/none", "a=b"]);
    expect(notices).toEqual([{ key: "model.fallback", primary: "gpt-6.2-sol", serving: "claude-opus-5" }]);
  });

  it("gives each model its own settings and leaves the shared request as it is (MDL-71)", async () => {
    await using fake = await startFakeProvider();
    fake.script({ status: 500, body: { error: { message: "down" } } });
    const config = configWith({
      provider: "anthropic",
      anthropic: { ...KEY, baseUrl: fake.url },
      fallbackModels: ["claude-opus-5"],
    });
    const settingsFor = (model: string): { maxTokens: number } => ({ maxTokens: model === "claude-opus-5" ? 50 : 70 });
    const request = Object.freeze(requestFor({ settings: Object.freeze({ maxTokens: 10 }) }));
    await run(newModel(config, undefined, { settingsFor }), request);
    expect(fake.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([70, 50]);
    expect(request.settings).toEqual({ maxTokens: 10 });
  });
});

describe("listModels (MDL-56)", () => {
  it("lists every provider's models", async () => {
    await using fake = await startFakeProvider({ models: ["one", "two"] });
    const config = configWith({
      anthropic: { ...KEY, baseUrl: fake.url },
      gemini: { ...KEY, baseUrl: fake.url },
      openai: { ...KEY, baseUrl: `${fake.url}/v1` },
      ollama: { baseUrl: `${fake.url}/v1` },
    });
    for (const provider of PROVIDERS) expect(await listModels(config, provider, never)).toEqual(["one", "two"]);
  });

  it("says what went wrong, without the key", async () => {
    const reply: typeof fetch = async () => new Response('{"error":{"message":"bad k-0000"}}', { status: 401 });
    const config = configWith({ openai: KEY });
    const error = await listModels(config, "openai", never, reply).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "auth", message: expect.stringContaining("llm.openai.api_key") });
    expect((error as Error).message).not.toContain("k-0000");
    await expect(listModels(config, "gemini", never)).rejects.toMatchObject({ reason: "MODEL_UNAVAILABLE" });
    await expect(listModels(config, "openai", AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});
