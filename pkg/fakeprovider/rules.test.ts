// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeProvider, startFakeProvider } from "./index.js";

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.close());

async function post(path: string, body: unknown): Promise<{ status: number; problems: readonly string[] }> {
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(fake.url + path, { method: "POST", body: text as string });
  await response.text();
  return { status: response.status, problems: fake.requests.at(-1)?.violations ?? [] };
}

const user = { role: "user", content: "hi" };
const use = (id: string, input: unknown = {}): object => ({ type: "tool_use", id, name: "t", input });
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "{}" });
const anthropic = (messages: readonly object[], more: object = {}): object => ({
  model: "m",
  max_tokens: 100,
  messages,
  ...more,
});
const asks = (...content: readonly object[]): object => ({ role: "assistant", content });
const says = (...content: readonly object[]): object => ({ role: "user", content });
const tool = (name: string, input_schema: unknown = { type: "object" }): object => ({ name, input_schema });

describe("rules of every wire", () => {
  it.each([
    ["bytes that aren't UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "the body isn't UTF-8"],
    ["text that isn't JSON", "{", "the body isn't JSON"],
    ["an unpaired surrogate escape", '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}', /surrogate/],
    ["an array", "[]", "the body isn't an object"],
  ])("refuses %s", async (_name, body, problem) => {
    const answer = await post("/v1/messages", body);
    expect(answer.status).toBe(400);
    expect(answer.problems).toEqual([expect.stringMatching(problem)]);
  });

  it("refuses a body over 32 MB", async () => {
    const answer = await post("/v1/messages", anthropic([{ role: "user", content: "x".repeat(33 * 1024 * 1024) }]));
    expect(answer.problems).toEqual([expect.stringMatching(/bytes, more than/)]);
  });

  it.each([
    ["an image over 8000 px", 1, 9000, /9000 px/],
    ["more than 20 images over 2000 px", 21, 2100, /2100 px/],
    ["more than 100 images", 101, 10, /101 images/],
  ])("refuses %s", async (_name, count, width, problem) => {
    const png = Buffer.alloc(24);
    png.write("\u0089PNG", "latin1");
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(40, 20);
    const source = { type: "base64", media_type: "image/png", data: png.toString("base64") };
    const images = Array.from({ length: count }, () => ({ type: "image", source }));
    expect((await post("/v1/messages", anthropic([says(...images)]))).problems[0]).toMatch(problem);
  });
});

describe("rules of Anthropic Messages", () => {
  it.each<[string, object, RegExp]>([
    ["no max_tokens", { model: "m", messages: [user] }, /max_tokens/],
    ["no messages", anthropic([]), /messages are required/],
    ["a model message first", anthropic([asks({ type: "text", text: "x" })]), /first message/],
    ["an empty text block", anthropic([says({ type: "text", text: "" })]), /empty text/],
    ["a message without content", anthropic([user, asks(), user]), /no content/],
    ["a call without result", anthropic([user, asks(use("a")), user]), /0 results/],
    ["a call at the end", anthropic([user, asks(use("a"))]), /0 results/],
    ["two results of a call", anthropic([user, asks(use("a")), says(result("a"), result("a"))]), /2 results/],
    ["a result without call", anthropic([user, says(result("a"))]), /without its call/],
    [
      "a result not directly after",
      anthropic([user, asks(use("a")), user, says(result("a"))]),
      /0 results directly after/,
    ],
    [
      "results after other content",
      anthropic([user, asks(use("a")), says({ type: "text", text: "x" }, result("a"))]),
      /don't come first/,
    ],
    [
      "an id used twice",
      anthropic([user, asks(use("a")), says(result("a")), asks(use("a")), says(result("a"))]),
      /used twice/,
    ],
    ["an id with a dot", anthropic([user, asks(use("a.b")), says(result("a.b"))]), /bad call id/],
    ["input that isn't an object", anthropic([user, asks(use("a", [])), says(result("a"))]), /isn't an object/],
    ["a tool name with a dot", anthropic([user], { tools: [tool("a.b")] }), /bad tool name/],
    ["a tool name of 65 letters", anthropic([user], { tools: [tool("x".repeat(65))] }), /bad tool name/],
    ["a tool offered twice", anthropic([user], { tools: [tool("a"), tool("a")] }), /offered twice/],
    ["a schema that isn't an object's", anthropic([user], { tools: [tool("a", { type: "string" })] }), /schema/],
    [
      "a dangling $ref",
      anthropic([user], { tools: [tool("a", { type: "object", properties: { x: { $ref: "#/$defs/none" } } })] }),
      /no #\/\$defs\/none/,
    ],
    [
      "thinking it never sent",
      anthropic([
        user,
        asks({ type: "thinking", thinking: "x", signature: "forged" }, { type: "text", text: "y" }),
        user,
      ]),
      /byte for byte/,
    ],
    [
      "a budget that isn't below max_tokens",
      anthropic([user], { thinking: { type: "enabled", budget_tokens: 2000 } }),
      /not below max_tokens/,
    ],
  ])("refuses %s", async (_name, body, problem) => {
    const answer = await post("/v1/messages", body);
    expect(answer.status).toBe(400);
    expect(answer.problems.join("\n")).toMatch(problem);
  });

  it("accepts a loop with a $ref that resolves", async () => {
    const schema = { type: "object", properties: { x: { $ref: "#/$defs/y" } }, $defs: { y: { type: "string" } } };
    const messages = [user, asks(use("a"), use("b")), says(result("b"), result("a"), { type: "text", text: "go on" })];
    expect(await post("/v1/messages", anthropic(messages, { tools: [tool("t", schema)] }))).toEqual({
      status: 200,
      problems: [],
    });
  });

  it("wants signed thinking back byte for byte and before its call", async () => {
    fake.remember([
      { type: "thinking", text: "hm", signature: "sig==" },
      { type: "call", id: "c1", name: "t", args: {} },
    ]);
    const thinking = { type: "thinking", thinking: "hm", signature: "sig==" };
    const cases: readonly (readonly [readonly object[], RegExp | undefined])[] = [
      [[thinking, use("c1")], undefined],
      [[use("c1")], /isn't where it was sent/],
      [[use("c1"), thinking], /isn't where it was sent/],
      [[{ ...thinking, thinking: "hm " }, use("c1")], /byte for byte/],
    ];
    for (const [blocks, problem] of cases) {
      const { problems } = await post("/v1/messages", anthropic([user, asks(...blocks), says(result("c1"))]));
      if (problem === undefined) expect(problems).toEqual([]);
      else expect(problems.join("\n")).toMatch(problem);
    }
  });
});

describe("rules of Chat Completions", () => {
  const call = (id: string, args: unknown = "{}"): object => ({
    id,
    type: "function",
    function: { name: "t", arguments: args },
  });
  const chat = (...messages: readonly object[]): object => ({ model: "m", messages });
  const calls = (...tool_calls: readonly object[]): object => ({ role: "assistant", content: null, tool_calls });
  const done = (id: string): object => ({ role: "tool", tool_call_id: id, content: "{}" });
  it.each<[string, object, RegExp]>([
    ["a call without result", chat(user, calls(call("a")), user), /0 results/],
    ["a result without call", chat(user, done("a")), /without its call/],
    ["two results", chat(user, calls(call("a")), done("a"), done("a")), /2 results/],
    ["arguments that aren't JSON", chat(user, calls(call("a", "{")), done("a")), /arguments/],
    ["arguments that are an object", chat(user, calls(call("a", {})), done("a")), /arguments/],
    ["an empty message", chat(user, { role: "assistant", content: "" }), /no content/],
    ["an unknown role", chat({ role: "model", content: "x" }), /role model/],
  ])("refuses %s", async (_name, body, problem) => {
    const answer = await post("/v1/chat/completions", body);
    expect(answer.status).toBe(400);
    expect(answer.problems.join("\n")).toMatch(problem);
  });
});

describe("rules of Responses", () => {
  const call = (call_id: string, args = "{}"): object => ({
    type: "function_call",
    call_id,
    name: "t",
    arguments: args,
  });
  const done = (call_id: string): object => ({ type: "function_call_output", call_id, output: "{}" });
  const reasoning = { type: "reasoning", id: "rs", summary: [], encrypted_content: "enc" };
  const asked = (...input: readonly object[]): object => ({ model: "m", input });
  it.each<[string, object, RegExp]>([
    ["a call without result", asked(user, call("a"), user), /0 results/],
    ["a result without call", asked(user, done("a")), /without its call/],
    ["two results", asked(user, call("a"), done("a"), done("a")), /two results/],
    ["arguments that aren't JSON", asked(user, call("a", "{"), done("a")), /arguments/],
    ["reasoning it never sent", asked(user, reasoning, call("a"), done("a")), /byte for byte/],
    ["reasoning without what it led to", asked(user, call("a"), done("a"), reasoning), /without the item/],
  ])("refuses %s", async (_name, body, problem) => {
    const answer = await post("/v1/responses", body);
    expect(answer.status).toBe(400);
    expect(answer.problems.join("\n")).toMatch(problem);
  });

  it("wants reasoning back before the call it led to", async () => {
    fake.remember([
      { type: "thinking", text: "", signature: "enc2" },
      { type: "call", id: "r1", name: "t", args: {} },
    ]);
    expect((await post("/v1/responses", asked(user, call("r1"), done("r1")))).problems).toEqual(["reasoning left out"]);
    const back = { ...reasoning, encrypted_content: "enc2" };
    expect((await post("/v1/responses", asked(user, back, call("r1"), done("r1")))).problems).toEqual([]);
  });
});

describe("rules of Gemini", () => {
  const path = "/v1beta/models/gemini-3.8-flash:generateContent";
  const call = (thoughtSignature?: string, args: object = {}): object => ({
    functionCall: { name: "t", args },
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  });
  const done = (response: unknown = {}): object => ({ functionResponse: { name: "t", response } });
  const asked = (...contents: readonly object[]): object => ({ contents });
  const model = (...parts: readonly object[]): object => ({ role: "model", parts });
  const person = (...parts: readonly object[]): object => ({ role: "user", parts });
  const hi = person({ text: "hi" });
  const skip = "skip_thought_signature_validator";
  it.each<[string, object, RegExp]>([
    ["a call without result", asked(hi, model(call(skip)), hi), /1 calls have 0 results/],
    ["a response without call", asked(hi, person(done())), /without its call/],
    ["a first call without signature", asked(hi, model(call()), person(done())), /no thoughtSignature/],
    ["a signature it never sent", asked(hi, model(call("x")), person(done())), /isn't on the part/],
    ["a response that isn't an object", asked(hi, model(call(skip)), person(done([]))), /isn't an object/],
    ["a content without parts", asked(hi, model()), /no parts/],
    ["an empty text part", asked(person({ text: "" })), /empty text/],
    ["a model content first", asked(model({ text: "x" })), /first content/],
    ["another role", asked(hi, { role: "function", parts: [{ text: "x" }] }), /role function/],
  ])("refuses %s", async (_name, body, problem) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.problems.join("\n")).toMatch(problem);
  });

  it("wants a thoughtSignature on the part it came with", async () => {
    fake.remember([
      { type: "call", name: "t", args: { n: 1 }, signature: "s1" },
      { type: "call", name: "t", args: { n: 2 } },
    ]);
    const send = (a: object, b: object): Promise<{ readonly problems: readonly string[] }> =>
      post(path, asked(hi, model(a, b), person(done(), done())));
    expect((await send(call("s1", { n: 1 }), call(undefined, { n: 2 }))).problems).toEqual([]);
    expect((await send(call(skip, { n: 1 }), call(undefined, { n: 2 }))).problems).toEqual([
      "a thoughtSignature is left out",
    ]);
    expect((await send(call(skip, { n: 1 }), call("s1", { n: 2 }))).problems.join()).toMatch(/isn't on the part/);
  });
});
