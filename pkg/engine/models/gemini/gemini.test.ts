// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer } from "@blitz/fakeprovider";
import { describe, expect, it } from "vitest";
import type { Part } from "../../history/index.js";
import { answered, callsOf, failure, requestFor, run, user } from "../testing/calls.js";
import { openWire } from "../testing/wires.js";

/** An answer of one chunk, as given. */
const chunk = (data: object): Answer => ({
  pieces: [`data: ${JSON.stringify(data)}\n\n`],
  headers: { "content-type": "text/event-stream" },
});
const ended = (finishReason: string, parts?: readonly object[]): Answer =>
  chunk({ candidates: [{ finishReason, ...(parts === undefined ? {} : { content: { role: "model", parts } }) }] });

describe("Gemini (T-STR-8)", () => {
  it.each([true, false])(
    "sends the signature of parallel calls back on the first alone, stream %s (MDL-47)",
    async (stream) => {
      await using open = await openWire("gemini");
      open.fake.script({
        parts: [
          { type: "thinking", text: "hm 😀", signature: "dA==" },
          { type: "call", name: "read_file", args: { path: "a" }, signature: "c2lnMQ==" },
          { type: "call", name: "read_file", args: { path: "b" } },
        ],
      });
      const model = open.model();
      const { final } = await run(model, requestFor({ stream }));
      await run(model, requestFor({ messages: [user("hi"), ...answered(final.parts)] }));
      expect(open.fake.violations).toEqual([]);
      const ids = final.parts.map((part) => (part.type === "toolCall" ? part.id : "-"));
      expect(new Set(ids).size).toBe(final.parts.filter((part) => part.type === "toolCall").length + 1);
    },
  );

  it.each([
    [
      "an empty text part",
      [
        { type: "text", text: "Yes." },
        { type: "text", text: "", signature: "ZQ==" },
      ],
    ],
    ["the last piece of a text", [{ type: "text", text: "A text of several pieces.", signature: "dGV4dA==" }]],
  ] as const)("keeps a signature on %s (MDL-47)", async (_name, parts) => {
    await using open = await openWire("gemini");
    open.fake.script({ parts });
    const model = open.model();
    const { final } = await run(model, requestFor());
    expect(final.stop).toBe("end");
    await run(model, requestFor({ messages: [user("hi"), ...answered(final.parts), user("and?")] }));
    expect(open.fake.violations).toEqual([]);
    expect(open.requests()[1]?.text).toContain('"thoughtSignature"');
  });

  it("stands in for the signatures another provider's calls don't have, on Gemini 3 only", async () => {
    await using open = await openWire("gemini");
    const calls: readonly Part[] = [
      { type: "toolCall", id: "toolu_1", name: "now", args: {}, signature: "foreign", provider: "anthropic" },
      { type: "toolCall", id: "toolu_2", name: "now", args: {} },
    ];
    const request = requestFor({ messages: [user("hi"), ...answered(calls)] });
    await run(open.model(), request);
    await run(open.model({ model: "gemini-2.5-pro" }), request);
    expect(open.fake.violations).toEqual([]);
    expect(open.requests()[0]?.text.match(/skip_thought_signature_validator/g)).toHaveLength(1);
    expect(open.requests()[1]?.text).not.toContain("skip_thought");
    expect(open.fake.requests[0]?.text).not.toContain("foreign");
  });

  it("asks once more after a garbled call, saying so, and then runs what comes (MDL-48)", async () => {
    await using open = await openWire("gemini");
    open.fake.script(ended("MALFORMED_FUNCTION_CALL"), {
      parts: [{ type: "call", name: "now", args: {}, signature: "cw==" }],
    });
    const { final } = await run(open.model(), requestFor());
    expect(callsOf(final)).toEqual([{ name: "now", args: {} }]);
    expect(open.requests()[1]?.text).toContain("MALFORMED_FUNCTION_CALL");
    expect(open.fake.violations).toEqual([]);
  });

  it.each([
    ["a garbled call", ended("MALFORMED_FUNCTION_CALL"), /MALFORMED_FUNCTION_CALL/],
    ["nothing said", ended("STOP"), /nothing/],
    ["an empty content", ended("STOP", []), /nothing/],
  ])("fails after %s twice", async (_name, answer, message) => {
    await using open = await openWire("gemini");
    open.fake.script(answer, answer);
    const { error } = await failure(open.model({ maxRetries: 2 }), requestFor());
    expect(error.message).toMatch(message);
    expect(open.requests()).toHaveLength(2);
  });

  it.each([
    ["no candidates", chunk({ candidates: [], usageMetadata: {} }), /cut off/],
    ["an unknown reason", ended("OTHER", [{ text: "x" }]), /OTHER/],
  ])("fails with the reason: %s", async (_name, answer, message) => {
    await using open = await openWire("gemini");
    open.fake.script(answer);
    expect((await failure(open.model(), requestFor())).error.message).toMatch(message);
  });

  it.each([true, false])("says why a prompt was blocked, stream %s (MDL-48)", async (stream) => {
    await using open = await openWire("gemini");
    const body = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };
    open.fake.script(stream ? chunk(body) : { body });
    const { final } = await run(open.model(), requestFor({ stream }));
    expect(final).toMatchObject({ stop: "refusal", refusal: { category: "PROHIBITED_CONTENT" } });
    expect(JSON.stringify(final.parts)).toContain("declined");
  });

  it("counts thoughts as output and tool prompts as input (MDL-48)", async () => {
    await using open = await openWire("gemini");
    const usageMetadata = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 2,
    };
    open.fake.script(
      chunk({
        candidates: [{ finishReason: "STOP", content: { parts: [{ text: "x" }] } }],
        usageMetadata,
        modelVersion: "gemini-x",
      }),
    );
    const { final } = await run(open.model(), requestFor());
    expect(final).toMatchObject({ usage: { input: 15, cached: 4, cacheWrite: 0, output: 5 }, servedBy: "gemini-x" });
  });

  it.each([
    ["gemini-3.8-flash", { effort: "max" }, { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-3.8-flash", { effort: "low", thinkingBudget: 5 }, { includeThoughts: true, thinkingLevel: "LOW" }],
    ["gemini-2.5-flash", { effort: "low", thinkingBudget: 5 }, { includeThoughts: true, thinkingBudget: 5 }],
    ["gemini-2.5-flash", { thinkingBudget: 0 }, { thinkingBudget: 0 }],
    ["gemma-4-31b-it", { effort: "low" }, undefined],
  ] as const)("maps thinking for %s, %o (MDL-73)", async (model, settings, expected) => {
    await using open = await openWire("gemini");
    await run(
      open.model({ model }),
      requestFor({ settings: { ...settings, seed: 3, temperature: 0.2, topP: 0.5, maxTokens: 9 } }),
    );
    const body = (open.requests()[0]?.body ?? {}) as Record<string, Record<string, unknown>>;
    const generationConfig = body["generationConfig"] ?? {};
    expect(generationConfig["thinkingConfig"]).toEqual(expected);
    expect(generationConfig).toMatchObject({ seed: 3, temperature: 0.2, topP: 0.5, maxOutputTokens: 9 });
  });

  it("calls a spent quota by its name and doesn't retry it (MDL-30a)", async () => {
    await using open = await openWire("gemini");
    open.fake.script({
      status: 429,
      body: [{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota exceeded for metric" } }],
    });
    const { error } = await failure(open.model({ maxRetries: 2 }), requestFor());
    expect(error).toMatchObject({ kind: "quota", status: 429 });
    expect(error.message).toMatch(
      /quota exceeded: Quota exceeded for metric \(raise the quota in the Google Cloud console/,
    );
    expect(open.requests()).toHaveLength(1);
  });
});
