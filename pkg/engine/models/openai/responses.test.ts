// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { answered, callsOf, failure, requestFor, run, user } from "../testing/calls.js";
import { openWire } from "../testing/wires.js";

const bodyOf = (request: { readonly body: unknown } | undefined): Record<string, unknown> =>
  (request?.body ?? {}) as Record<string, unknown>;

describe("the Responses API", () => {
  it("sends reasoning back byte for byte before what it led to", async () => {
    await using open = await openWire("responses");
    open.fake.script({
      parts: [
        { type: "thinking", text: "hm 😀", signature: "gAAA+/==" },
        { type: "call", name: "read_file", args: { path: "a" } },
      ],
    });
    const model = open.model();
    const { thought, final } = await run(model, requestFor());
    expect(thought).toBe("hm 😀");
    await run(model, requestFor({ messages: [user("hi"), ...answered(final.parts)] }));
    expect(open.fake.violations).toEqual([]);
    expect(open.requests()[1]?.text).toContain("gAAA+/==");
    expect(open.requests()[0]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  });

  it("drops a thought that led to nothing, and one that can't go back", async () => {
    await using open = await openWire("responses");
    open.fake.script({ parts: [{ type: "thinking", text: "hm", signature: "enc" }], stop: "max_tokens" });
    const model = open.model();
    const { final } = await run(model, requestFor());
    expect(final.stop).toBe("max_tokens");
    const unsigned = {
      role: "model",
      parts: [
        { type: "thought", text: "x", provider: "openai" },
        { type: "text", text: "y" },
      ],
    } as const;
    await run(
      model,
      requestFor({ messages: [user("hi"), ...answered(final.parts), user("more"), unsigned, user("go on")] }),
    );
    expect(open.fake.violations).toEqual([]);
    expect(open.requests()[1]?.text).not.toContain('"type":"reasoning"');
  });

  it("keeps the phase of what the model said", async () => {
    await using open = await openWire("responses");
    const content = [{ type: "output_text", text: "First.", annotations: [] }];
    const block = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      phase: "commentary",
      content,
    };
    open.fake.script({ parts: [{ type: "raw", block }] });
    const model = open.model();
    const { final } = await run(model, requestFor());
    await run(model, requestFor({ messages: [user("hi"), ...answered(final.parts), user("and?")] }));
    expect(open.requests()[1]?.body).toMatchObject({ input: [{}, { role: "assistant", phase: "commentary" }, {}] });
  });

  it.each([
    ["gpt-4o", { temperature: 0.2, top_p: 0.9 }],
    ["gpt-6.2-sol", {}],
    ["o3", {}],
    ["openrouter/o4-mini", {}],
  ])("sends %s the sampling parameters %o (MDL-43)", async (model, expected) => {
    await using open = await openWire("responses");
    await run(open.model({ model }), requestFor({ settings: { temperature: 0.2, topP: 0.9, seed: 7, maxTokens: 99 } }));
    const { temperature, top_p, seed, max_output_tokens } = bodyOf(open.requests()[0]);
    expect(JSON.parse(JSON.stringify({ temperature, top_p, seed }))).toEqual(expected);
    expect(max_output_tokens).toBe(99);
  });

  it.each([
    [{ effort: "max" }, "high"],
    [{ effort: "minimal" }, "minimal"],
    [{ thinkingBudget: 0 }, "none"],
  ] as const)("maps %o to the effort %s (MDL-73)", async (settings, effort) => {
    await using open = await openWire("responses");
    await run(open.model(), requestFor({ settings }));
    expect(open.requests()[0]?.body).toMatchObject({ reasoning: { effort } });
  });

  it("holds a text call back and runs it, only for an offered tool (MDL-40, MDL-41)", async () => {
    await using open = await openWire("responses");
    open.fake.script({ text: '{"name":"now","arguments":{}}' }, { text: '{"name":"rm","arguments":{}}' });
    const first = await run(open.model(), requestFor());
    expect(first.text).toBe("");
    expect(callsOf(first.final)).toEqual([{ name: "now", args: {} }]);
    const second = await run(open.model(), requestFor());
    expect(second.text).toBe('{"name":"rm","arguments":{}}');
    expect(callsOf(second.final)).toEqual([]);
  });

  it("doesn't ask Chat Completions for a model that doesn't exist", async () => {
    await using open = await openWire("responses");
    open.fake.script({ status: 404, body: { error: { message: "no such model", code: "model_not_found" } } });
    expect((await failure(open.model(), requestFor())).error).toMatchObject({ kind: "bad_request", status: 404 });
    expect(open.fake.requests).toHaveLength(1);
  });

  it("reads a failed response", async () => {
    await using open = await openWire("responses");
    const failed = {
      type: "response.failed",
      response: { error: { code: "rate_limit_exceeded", message: "slow down" } },
    };
    open.fake.script({ text: "x", edit: (all) => [...all.slice(0, 2), { data: failed }] });
    expect((await failure(open.model(), requestFor())).error).toMatchObject({ kind: "rate_limited" });
  });

  it("tells a spent quota from a rate limit", async () => {
    await using open = await openWire("responses");
    open.fake.script({
      status: 429,
      body: { error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
    });
    expect((await failure(open.model({ maxRetries: 2 }), requestFor())).error.kind).toBe("quota");
    expect(open.requests()).toHaveLength(1);
  });
});
