// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../chat-model.js";
import { answered, callsOf, type Outcome, READ_FILE, requestFor, run, user } from "../testing/calls.js";
import { openWire } from "../testing/wires.js";

type Chunk = Record<string, unknown>;
const delta = (change: unknown, finish_reason: string | null = null): Chunk => ({
  choices: [{ index: 0, delta: change, finish_reason }],
});
const piece = (...tool_calls: readonly object[]): Chunk => delta({ tool_calls });
const call = (args: unknown, more: object = {}, name?: string): object => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});
const USAGE: Chunk = {
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 30 } },
};

async function streamed(chunks: readonly Chunk[], request: Partial<ModelRequest> = {}): Promise<Outcome> {
  await using open = await openWire("chat");
  open.fake.script({
    pieces: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
    headers: { "content-type": "text/event-stream" },
  });
  const model = open.model();
  const outcome = await run(model, requestFor(request));
  await run(model, requestFor({ messages: [user("hi"), ...answered(outcome.final.parts)] }));
  expect(open.fake.violations).toEqual([]);
  return outcome;
}

const A = '{"path":"a"}';
const B = '{"path":"b"}';
const BOTH = [
  { name: "read_file", args: { path: "a" } },
  { name: "read_file", args: { path: "b" } },
];
const END = delta({}, "tool_calls");

describe("tool-call pieces of compatible servers (T-STR-2)", () => {
  it.each<[string, readonly Chunk[]]>([
    [
      "both at index 0 with two ids",
      [
        piece(call("", { index: 0, id: "x" }, "read_file")),
        piece(call(A, { index: 0 })),
        piece(call("", { index: 0, id: "y" }, "read_file")),
        piece(call(B, { index: 0 })),
        END,
      ],
    ],
    [
      "no index",
      [
        piece(call(A.slice(0, 4), { id: "x" }, "read_file")),
        piece(call(A.slice(4))),
        piece(call(B, { id: "y" }, "read_file")),
        END,
      ],
    ],
    [
      "an index and no id",
      [
        piece(call(A, { index: 0 }, "read_file")),
        piece(call("", { index: 1 }, "read_file")),
        piece(call(B, { index: 1 })),
        END,
      ],
    ],
    [
      "the id and the name on every piece",
      [
        piece(call(A.slice(0, 4), { index: 0, id: "x" }, "read_file")),
        piece(call(A.slice(4), { index: 0, id: "x" }, "read_file")),
        piece(call(B.slice(0, 4), { index: 1, id: "y" }, "read_file")),
        piece(call(B.slice(4), { index: 1, id: "y" }, "read_file")),
        END,
      ],
    ],
    [
      "first index 1",
      [piece(call(A, { index: 1, id: "x" }, "read_file")), piece(call(B, { index: 2, id: "y" }, "read_file")), END],
    ],
    [
      "the name after the first arguments",
      [
        piece(call(A.slice(0, 4), { index: 0, id: "x" })),
        piece(call(A.slice(4), { index: 0 }, "read_file")),
        piece(call(B, { index: 1, id: "y" }, "read_file")),
        END,
      ],
    ],
    [
      "whole calls with arguments as an object",
      [
        piece(
          call({ path: "a" }, { index: 0, id: "x" }, "read_file"),
          call({ path: "b" }, { index: 1, id: "y" }, "read_file"),
        ),
        END,
      ],
    ],
    ["whole calls without index or id", [piece(call(A, {}, "read_file"), call(B, {}, "read_file")), END]],
    [
      "the same id twice",
      [
        piece(call(A, { index: 0, id: "call_0" }, "read_file")),
        piece(call(B, { index: 1, id: "call_0" }, "read_file")),
        END,
      ],
    ],
    [
      "empty and odd chunks between, and the stop `stop`",
      [
        { choices: [] },
        { id: "x" },
        delta(null),
        piece(call(A, { index: 0, id: "x" }, "read_file")),
        piece(call(B, { index: 1, id: "y" }, "read_file")),
        delta({ content: null, tool_calls: null }, "stop"),
      ],
    ],
  ])("run both calls, %s", async (_name, chunks) => {
    const { final } = await streamed([...chunks, USAGE]);
    expect(callsOf(final)).toEqual(BOTH);
    expect(final).toMatchObject({ stop: "tool_use", usage: { input: 100, cached: 30, cacheWrite: 0, output: 9 } });
    const ids = final.parts.map((part) => (part.type === "toolCall" ? part.id : ""));
    expect(new Set(ids).size).toBe(2);
  });
});

it("tells calls without arguments at one index apart by their ids (T-STR-2)", async () => {
  const { final } = await streamed([
    piece(call("", { index: 0, id: "x" }, "now")),
    piece(call("", { index: 0, id: "y" }, "now")),
    END,
  ]);
  expect(callsOf(final)).toEqual([
    { name: "now", args: {} },
    { name: "now", args: {} },
  ]);
});

describe("Chat Completions", () => {
  it.each<[string, readonly Chunk[], { readonly input: number; readonly output: number }]>([
    ["in the last chunk", [delta({ content: "x" }), delta({}, "stop"), USAGE], { input: 100, output: 9 }],
    [
      "in every chunk",
      [
        { ...delta({ content: "x" }), usage: { prompt_tokens: 100, completion_tokens: 1 } },
        { ...delta({}, "stop"), usage: USAGE["usage"] },
      ],
      { input: 100, output: 9 },
    ],
    ["nowhere", [delta({ content: "x" }), delta({}, "stop")], { input: 0, output: 0 }],
    [
      "as nonsense",
      [delta({ content: "x" }, "stop"), { choices: [], usage: { prompt_tokens: -1, completion_tokens: null } }],
      { input: 0, output: 0 },
    ],
  ])("counts usage once, given %s (T-STR-7)", async (_name, chunks, usage) => {
    expect((await streamed(chunks)).final.usage).toMatchObject(usage);
  });

  it("asks the Responses API once, then this one for good (MDL-39)", async () => {
    await using open = await openWire("chat");
    const model = open.model();
    await run(model, requestFor());
    await run(model, requestFor());
    expect(open.fake.requests.map(({ path }) => path)).toEqual([
      "/v1/responses",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
    expect(open.fake.requests[1]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("shows what a local model thinks and doesn't send it back", async () => {
    const { thought, final } = await streamed([
      delta({ reasoning_content: "hm " }),
      delta({ reasoning: "well" }),
      delta({ content: "Yes." }, "stop"),
    ]);
    expect(thought).toBe("hm well");
    expect(final.parts).toEqual([
      { type: "thought", text: "hm well", provider: "openai" },
      { type: "text", text: "Yes." },
    ]);
  });

  it("takes a refusal for one", async () => {
    const { final } = await streamed([delta({ refusal: "I can't." }), delta({}, "stop")]);
    expect(final).toMatchObject({ stop: "refusal", parts: [{ text: "I can't." }] });
  });
});

describe("text tool calls (MDL-40, MDL-41)", () => {
  const said = (text: string): readonly Chunk[] => [
    ...Array.from(text, (content) => delta({ content })),
    delta({}, "stop"),
  ];

  it.each([
    ["bare", '{"name":"read_file","arguments":{"path":"a"}}'],
    ["fenced", '```json\n{"name":"read_file","args":{"path":"a"}}\n```'],
    ["with parameters as text", ' {"name":"read_file","parameters":"{\\"path\\":\\"a\\"}"}'],
    ["with file_path", '{"name":"read_file","arguments":{"file_path":"a"}}'],
  ])("become calls, %s, and nothing of them is shown", async (_name, text) => {
    const { text: shown, final } = await streamed(said(text));
    expect(shown).toBe("");
    expect(callsOf(final)).toEqual([{ name: "read_file", args: { path: "a" } }]);
    expect(final.stop).toBe("tool_use");
  });

  it.each([
    ["of a tool nobody offered", '{"name":"run_shell_command","arguments":{"command":"rm"}}'],
    ["quoted in a sentence", 'Call {"name":"read_file","arguments":{"path":"a"}}'],
    ["cut", '{"name":"read_file","arguments":{"path":'],
    ["a fence of code", "```ts\nconst a = 1;\n```"],
    ["arguments that are a list", '{"name":"read_file","arguments":["a"]}'],
  ])("stay text: %s", async (_name, text) => {
    const { text: shown, final } = await streamed(said(text));
    expect(shown).toBe(text);
    expect(final.parts).toEqual([{ type: "text", text }]);
  });

  it("aren't held back when no tool is offered, and other text never is", async () => {
    const free = await streamed(said("{x}"), { tools: [] });
    expect(free.events.filter(({ type }) => type === "textDelta")).toHaveLength(3);
    const plain = await streamed(said("`x` y"), { tools: [READ_FILE] });
    expect(plain.text).toBe("`x` y");
    expect(plain.events.filter(({ type }) => type === "textDelta").length).toBeGreaterThan(2);
  });
});
