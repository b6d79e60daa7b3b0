// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatModel } from "../chat-model.js";
import { answered, callsOf, failure, READ_FILE, requestFor, run, user } from "../testing/calls.js";
import { createFetch } from "../wire/index.js";
import { type AnthropicConfig, createAnthropicModel } from "./index.js";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await startFakeProvider();
});
afterEach(async () => {
  await fake.close();
});

const KEY = "test-key-0000000000";
const modelWith = (changes: Partial<AnthropicConfig> = {}): ChatModel =>
  createAnthropicModel({
    model: "claude-opus-5-5",
    apiKey: KEY,
    baseUrl: fake.url,
    keyHint: "llm.anthropic.api_key or ANTHROPIC_API_KEY",
    fallbacks: "off",
    maxRetries: 0,
    stallTimeoutMs: 5_000,
    fetch: createFetch(),
    ...changes,
  });
const bodyAt = (i: number): Record<string, unknown> => fake.requests[i]?.body as Record<string, unknown>;

describe("createAnthropicModel", () => {
  it.each([true, false])("runs a tool loop with parallel calls, stream %s (MDL-23, MDL-27)", async (stream) => {
    fake.script(
      {
        text: "Reading.",
        parts: [
          { type: "call", name: "read_file", args: { path: "a" } },
          { type: "call", name: "read_file", args: { path: "b" } },
        ],
      },
      { text: "Both read." },
    );
    const model = modelWith();
    const first = await run(model, requestFor({ stream }));
    expect(first.final.stop).toBe("tool_use");
    expect(callsOf(first.final)).toEqual([
      { name: "read_file", args: { path: "a" } },
      { name: "read_file", args: { path: "b" } },
    ]);
    expect(first.text).toBe(stream ? "Reading." : "");
    const messages = [user("hi"), ...answered(first.final.parts)];
    const second = await run(model, requestFor({ stream, messages }));
    expect(second.final).toMatchObject({ stop: "end", parts: [{ type: "text", text: "Both read." }] });
    expect(bodyAt(1)["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ type: "tool_result" }, { type: "tool_result" }] },
    ]);
    expect(fake.violations).toEqual([]);
  });

  it("sends thinking back byte for byte, in place (MDL-24)", async () => {
    fake.script({
      parts: [
        { type: "thinking", text: "  hm 😀\n", signature: "c2ln+/==" },
        { type: "redacted", data: "ZW5j" },
        { type: "call", name: "read_file", args: { path: "a" } },
      ],
    });
    const model = modelWith();
    const first = await run(model, requestFor());
    expect(first.thought).toBe("  hm 😀\n");
    await run(model, requestFor({ messages: [user("hi"), ...answered(first.final.parts)] }));
    expect(fake.violations).toEqual([]);
  });

  it("drops unsigned thoughts, other providers' and the user's (MDL-24)", async () => {
    const messages = [
      {
        role: "user",
        parts: [
          { type: "thought", text: "mine", provider: "anthropic", signature: "x" },
          { type: "text", text: "hi" },
        ],
      },
      {
        role: "model",
        parts: [
          { type: "thought", text: "unsigned", provider: "anthropic" },
          { type: "thought", text: "other", provider: "gemini", signature: "y" },
          { type: "text", text: "hello" },
        ],
      },
      user("go on"),
    ] as const;
    await run(modelWith(), requestFor({ messages }));
    expect(fake.violations).toEqual([]);
    expect(JSON.stringify(bodyAt(0)["messages"])).not.toMatch(/mine|unsigned|other/);
  });

  it("keeps a fallback block in place and drops the declining model's calls (MDL-24, MDL-28)", async () => {
    const block = {
      type: "fallback",
      from: { model: "claude-opus-5-5" },
      to: { model: "claude-opus-4-8" },
      trigger: null,
    };
    fake.script({
      parts: [
        { type: "call", name: "read_file", args: { path: "never" } },
        { type: "raw", block },
        { type: "call", name: "read_file", args: { path: "a" } },
      ],
      edit: (frames) =>
        frames.map((frame) => {
          const data = frame.data as { type: string; usage?: object };
          const iterations = [{ type: "fallback_message", model: "claude-opus-4-8" }];
          return data.type === "message_delta"
            ? { ...frame, data: { ...data, usage: { ...data.usage, iterations } } }
            : frame;
        }),
    });
    const model = modelWith({ fallbacks: "default" });
    const { final } = await run(model, requestFor());
    expect(final.servedBy).toBe("claude-opus-4-8");
    expect(callsOf(final)).toEqual([{ name: "read_file", args: { path: "a" } }]);
    expect(bodyAt(0)).toMatchObject({ fallbacks: "default" });
    expect(fake.requests[0]?.headers["anthropic-beta"]).toBe("server-side-fallback-2026-07-01");
    await run(model, requestFor({ messages: [user("hi"), ...answered(final.parts)] }));
    expect(JSON.stringify(bodyAt(1)["messages"])).toContain('"type":"fallback"');
    expect(JSON.stringify(bodyAt(1)["messages"])).not.toContain("never");
    expect(fake.violations).toEqual([]);
  });

  it.each([
    ["max_tokens", "max_tokens"],
    ["context_full", "context_full"],
    ["stop_sequence", "end"],
    ["end", "end"],
  ])("maps the stop %s to %s (MDL-28)", async (stop, expected) => {
    fake.script({ text: "x", stop });
    expect((await run(modelWith(), requestFor())).final.stop).toBe(expected);
  });

  it("says that the model declined, and why (MDL-28)", async () => {
    fake.script({ text: "Hm.", stop: "refusal", refusal: "cyber" });
    const { final } = await run(modelWith(), requestFor());
    expect(final).toMatchObject({ stop: "refusal", refusal: { category: "cyber" } });
    expect(final.parts.at(-1)).toEqual({ type: "text", text: "The model declined to continue this request. (cyber)" });
  });

  it("sends a paused turn again and joins the answers (MDL-28)", async () => {
    fake.script(
      { text: "One. ", stop: "pause_turn", usage: { input: 10, output: 1 } },
      { text: "Two.", usage: { input: 12, output: 2 } },
    );
    const { final, text } = await run(modelWith(), requestFor());
    expect(text).toBe("One. Two.");
    expect(final).toMatchObject({ stop: "end", usage: { input: 22, output: 3 } });
    expect(fake.requests).toHaveLength(2);
  });

  it("gives an empty answer one empty text part (MDL-28)", async () => {
    fake.script({});
    expect((await run(modelWith(), requestFor())).final.parts).toEqual([{ type: "text", text: "" }]);
  });

  it("takes the last cumulative usage and doesn't add (T-STR-7, MDL-29)", async () => {
    const usage = { input_tokens: 25, cache_read_input_tokens: 1000, cache_creation_input_tokens: 200 };
    const delta = (output_tokens: number, more: object): object => ({
      event: "message_delta",
      data: { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { ...more, output_tokens } },
    });
    fake.script({
      text: "x",
      edit: (frames) =>
        frames.flatMap((frame) => {
          const data = frame.data as { type: string; message?: object };
          if (data.type === "message_start")
            return [
              { ...frame, data: { ...data, message: { ...data.message, usage: { ...usage, output_tokens: 1 } } } },
            ];
          return data.type === "message_delta" ? [delta(10, {}), delta(47, usage)] : [frame];
        }) as never,
    });
    expect((await run(modelWith(), requestFor())).final.usage).toEqual({
      input: 1225,
      cached: 1000,
      cacheWrite: 200,
      output: 47,
    });
  });

  it.each([[-5], [null], [1.5]])("reads the odd token count %s (T-STR-7)", async (odd) => {
    fake.script({
      text: "x",
      edit: (frames) =>
        frames.map((frame) => {
          const data = frame.data as { type: string };
          return data.type === "message_delta" ? { ...frame, data: { ...data, usage: { output_tokens: odd } } } : frame;
        }),
    });
    const { output } = (await run(modelWith(), requestFor())).final.usage;
    expect(Number.isInteger(output) && output >= 0).toBe(true);
  });

  it("sends the settings this model takes, and stable text (MDL-20…25, MDL-32, MDL-73)", async () => {
    await run(modelWith(), requestFor({ settings: { temperature: 0.2, topP: 0.9, seed: 1, effort: "minimal" } }));
    await run(modelWith(), requestFor({ settings: { temperature: 0.2, topP: 0.9, seed: 1, effort: "minimal" } }));
    expect(fake.requests[1]?.text).toBe(fake.requests[0]?.text);
    expect(bodyAt(0)).toMatchObject({
      max_tokens: 16_000,
      output_config: { effort: "low" },
      system: [{ type: "text", text: "You are a test.", cache_control: { type: "ephemeral" } }],
      tools: [{ name: "now" }, { name: "read_file", input_schema: READ_FILE.schema }],
    });
    expect(Object.keys(bodyAt(0))).not.toEqual(expect.arrayContaining(["temperature"]));
    expect(fake.requests[0]?.text).not.toMatch(/top_p|seed/);
  });

  it("raises max_tokens above a thinking budget and drops the temperature (MDL-73)", async () => {
    const settings = { temperature: 0.2, thinkingBudget: 4000, maxTokens: 3000 };
    await run(modelWith({ model: "claude-sonnet-4-5" }), requestFor({ settings }));
    expect(bodyAt(0)).toMatchObject({ max_tokens: 7000, thinking: { type: "enabled", budget_tokens: 4000 } });
    expect(bodyAt(0)["temperature"]).toBeUndefined();
    await run(modelWith({ model: "claude-sonnet-4-5" }), requestFor({ settings: { temperature: 0.2 } }));
    expect(bodyAt(1)["temperature"]).toBe(0.2);
    expect(fake.violations).toEqual([]);
  });

  it("offers no tool use when told so, and starts with the user (MDL-23)", async () => {
    await run(
      modelWith(),
      requestFor({
        toolChoice: "none",
        messages: [{ role: "model", parts: [{ type: "text", text: "x" }] }, user("y")],
      }),
    );
    expect(bodyAt(0)["tool_choice"]).toEqual({ type: "none" });
    expect(fake.violations).toEqual([]);
  });

  it("mends lone surrogates on the way out and in (MDL-34)", async () => {
    fake.script({
      pieces: [
        '{"type":"message","role":"assistant","model":"m","stop_reason":"end_turn","usage":{},"content":[{"type":"text","text":"\\ud83d!"}]}',
      ],
    });
    const messages = [
      user("\ud83d bad"),
      ...answered([{ type: "toolCall", id: "c.1", name: "re.ad", args: { "\ude00": ["\ud83d"] } }]),
    ];
    const { final } = await run(modelWith(), requestFor({ stream: false, messages, system: "\ud83d" }));
    expect(final.parts).toEqual([{ type: "text", text: "\ufffd!" }]);
    expect(fake.violations).toEqual([]);
  });

  it("joins a surrogate pair cut between two deltas (MDL-34, T-STR-1)", async () => {
    const delta = (escaped: string): string =>
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${escaped}"}}\n\n`;
    const block = { type: "text", text: "" };
    fake.script({
      pieces: [
        `data: ${JSON.stringify({ type: "message_start", message: { model: "m", usage: {} } })}\n\n`,
        `data: ${JSON.stringify({ type: "content_block_start", index: 0, content_block: block })}\n\n`,
        delta("a\\ud83d"),
        delta("\\ude00b"),
        `data: ${JSON.stringify({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} })}\n\n`,
        `data: ${JSON.stringify({ type: "message_stop" })}\n\n`,
      ],
    });
    const { events, final } = await run(modelWith(), requestFor());
    expect(events.flatMap((event) => (event.type === "textDelta" ? [event.text] : []))).toEqual(["a", "😀b"]);
    expect(final.parts).toEqual([{ type: "text", text: "a😀b" }]);
  });

  it("ends with the signal's reason when cancelled, and closes the connection", async () => {
    const controller = new AbortController();
    const gate = Promise.withResolvers<void>();
    fake.script({ text: "never", holdBody: gate.promise });
    const model = modelWith();
    const pending = failure(model, requestFor({ signal: controller.signal }));
    while (fake.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("the user cancelled"));
    expect((await pending).error.message).toBe("the user cancelled");
    expect(await fake.requests[0]?.closed).toBe("aborted");
    gate.resolve();
  });

  it("never shows the key in an error (MDL-30, WS-80)", async () => {
    fake.script({
      status: 401,
      body: { type: "error", error: { type: "authentication_error", message: `bad key ${KEY}` } },
    });
    const { error } = await failure(modelWith(), requestFor());
    expect(error).toMatchObject({ name: "ModelError", kind: "auth", status: 401, provider: "anthropic" });
    expect(error.message).toContain("llm.anthropic.api_key");
    expect(error.message).not.toContain(KEY);
  });
});
