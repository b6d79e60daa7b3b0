// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer } from "@blitz/fakeprovider";
import { describe, expect, it } from "vitest";
import { ModelError } from "./chat-model.js";
import { answered, callsOf, failure, NOW, requestFor, run, user } from "./testing/calls.js";
import { openWire, TEST_KEY, WIRES } from "./testing/wires.js";

/** Cut into many deltas. */
const LONG = "A text that is long enough to come in a good number of deltas.";
const ODD = "日本語 😀 naïve";
const LOOP: Answer = {
  parts: [
    { type: "call", name: "read_file", args: { path: ODD } },
    { type: "call", name: "now", args: {} },
  ],
  usage: { input: 100, cached: 40, output: 7 },
};
const busy = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error: { type: "overloaded_error", message: "busy" } },
});

describe.each(WIRES)("the %s wire", (wire) => {
  it.each([true, false])("runs a loop of parallel calls that the strict fake accepts, stream %s", async (stream) => {
    await using open = await openWire(wire);
    const model = open.model();
    open.fake.script(LOOP, { text: `Read ${ODD}.` });
    const first = await run(model, requestFor({ stream }));
    expect(first.final.stop).toBe("tool_use");
    expect(callsOf(first.final)).toEqual([
      { name: "read_file", args: { path: ODD } },
      { name: "now", args: {} },
    ]);
    expect(first.final.usage).toEqual({ input: 100, cached: 40, cacheWrite: 0, output: 7 });
    const messages = [user("hi"), ...answered(first.final.parts)];
    const second = await run(model, requestFor({ stream, messages }));
    expect(second.final).toMatchObject({ stop: "end", parts: [{ type: "text", text: `Read ${ODD}.` }] });
    expect(second.text).toBe(stream ? `Read ${ODD}.` : "");
    expect(open.fake.violations).toEqual([]);
  });

  it("accepts what the other wires' models said before (T-STR-8)", async () => {
    await using open = await openWire(wire);
    const messages = [user("hi")];
    for (const other of WIRES) {
      await using from = await openWire(other);
      from.fake.script({
        parts: [{ type: "thinking", text: "hm", signature: "c2ln" }, ...(LOOP.parts ?? [])],
        text: "Reading.",
      });
      const { final } = await run(from.model(), requestFor({ messages: [user("hi")] }));
      if (other === wire) open.fake.remember([{ type: "thinking", text: "hm", signature: "c2ln" }]);
      messages.push(...answered(final.parts));
    }
    await run(open.model(), requestFor({ messages }));
    expect(open.fake.violations).toEqual([]);
  });

  it("puts results before what else the user said (MDL-23)", async () => {
    await using open = await openWire(wire);
    const [said, results] = answered([{ type: "toolCall", id: "c1", name: "now", args: {} }]);
    const steered = { role: "user", parts: [{ type: "text", text: "and hurry" }, ...(results?.parts ?? [])] } as const;
    await run(open.model(), requestFor({ messages: [user("hi"), said ?? user(""), steered] }));
    expect(open.fake.violations).toEqual([]);
    expect(open.requests()[0]?.text).toContain("and hurry");
  });

  it("keeps its connection from call to call (MDL-50)", async () => {
    await using open = await openWire(wire);
    const model = open.model();
    for (const stream of [true, true, false, true]) await run(model, requestFor({ stream }));
    expect(new Set(open.fake.requests.map(({ connection }) => connection)).size).toBe(1);
  });

  it.each(["hold", "holdBody"] as const)(
    "ends with the signal's reason when cancelled, waiting at %s",
    async (gate) => {
      await using open = await openWire(wire);
      const opened = Promise.withResolvers<void>();
      open.fake.script({ text: "never", [gate]: opened.promise });
      const controller = new AbortController();
      const pending = failure(open.model({ maxRetries: 3 }), requestFor({ signal: controller.signal }));
      while (open.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error("the user cancelled"));
      expect((await pending).error.message).toBe("the user cancelled");
      expect(await open.requests()[0]?.closed).toBe("aborted");
      opened.resolve();
    },
  );

  it("closes the connection when the consumer stops reading", async () => {
    await using open = await openWire(wire);
    const opened = Promise.withResolvers<void>();
    open.fake.script({ text: LONG, split: (bytes) => [bytes.subarray(0, bytes.length - 300), opened.promise, "x"] });
    for await (const event of open.model().generate(requestFor())) if (event.type === "textDelta") break;
    expect(await open.requests()[0]?.closed).toBe("aborted");
    opened.resolve();
  });

  it("sends the same text for the same request, tools sorted (MDL-32)", async () => {
    await using open = await openWire(wire);
    const model = open.model();
    const messages = [user("hi"), ...answered([{ type: "toolCall", id: "c1", name: "now", args: { b: 1, a: 2 } }])];
    await run(model, requestFor({ messages }));
    await run(model, requestFor({ messages, tools: requestFor().tools.toReversed() }));
    const [one, two] = open.requests();
    expect(two?.text).toBe(one?.text);
    expect(one?.text.indexOf('"now"')).toBeLessThan(one?.text.indexOf("Reads a file.") ?? 0);
  });

  it("mends lone surrogates on the way out (MDL-34)", async () => {
    await using open = await openWire(wire);
    const call = { type: "toolCall", id: "c 1", name: "re.ad\ud83d", args: { "\ud83d": ["\ude00"] } } as const;
    const messages = [user("\ud83d bad"), ...answered([call]), user("x\udc00")];
    await run(open.model(), requestFor({ system: "\ud83d", messages }));
    expect(open.fake.violations).toEqual([]);
  });

  it.each([
    ["max_tokens", "max_tokens"],
    ["refusal", "refusal"],
    ["end", "end"],
  ])("maps the stop %s", async (stop, expected) => {
    await using open = await openWire(wire);
    open.fake.script({ text: "No.", stop });
    const { final } = await run(open.model(), requestFor());
    expect(final.stop).toBe(expected);
    expect(JSON.stringify(final.parts)).toContain("No.");
  });

  it("doesn't run a last call the length limit may have cut (T-STR-3)", async () => {
    await using open = await openWire(wire);
    open.fake.script({ parts: [{ type: "call", name: "read_file", args: { path: "a" } }], stop: "max_tokens" });
    const { final } = await run(open.model(), requestFor());
    expect(final.stop).toBe("max_tokens");
    expect(callsOf(final)[0]?.invalid).toMatch(/cut off/);
    const messages = [user("hi"), ...answered(final.parts)];
    await run(open.model(), requestFor({ messages }));
    expect(open.fake.violations).toEqual([]);
  });

  describe("errors (MDL-30)", () => {
    it.each([
      [401, "auth"],
      [403, "auth"],
      [429, "rate_limited"],
      [400, "bad_request"],
      [500, "api"],
      [529, "overloaded"],
    ])("makes status %s the kind %s, without the key", async (status, kind) => {
      await using open = await openWire(wire);
      open.fake.script({ status, body: { error: { message: `no good: ${TEST_KEY}` } } });
      const { error } = await failure(open.model(), requestFor());
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ kind, status });
      expect(error.message).toContain("no good");
      expect(error.message).not.toContain(TEST_KEY);
    });

    it("says which server it couldn't reach", async () => {
      const open = await openWire(wire);
      const model = open.model();
      await open.fake.close();
      const { error } = await failure(model, requestFor());
      expect(error).toMatchObject({ kind: "network" });
      expect(error.message).toMatch(/127\.0\.0\.1:\d+/);
    });

    it("knows a full context by its words", async () => {
      await using open = await openWire(wire);
      open.fake.script({
        status: 400,
        body: { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
      });
      expect((await failure(open.model(), requestFor())).error.kind).toBe("context_full");
    });
  });

  describe("streams that aren't answers (MDL-33)", () => {
    it.each([
      ["before output", 1],
      ["after output", 4],
    ])("fails a body that ends %s without the provider's end", async (_name, frames) => {
      await using open = await openWire(wire);
      open.fake.script({ text: LONG, edit: (all) => all.slice(0, frames) });
      const { error } = await failure(open.model(), requestFor());
      expect(error).toMatchObject({ kind: "network", message: expect.stringMatching(/cut off|complete/) });
    });

    it.each(["cut", "reset"] as const)("fails a connection that is %s in the body", async (end) => {
      await using open = await openWire(wire);
      open.fake.script({ text: LONG, edit: (all) => all.slice(0, 4), end });
      expect((await failure(open.model(), requestFor())).error.kind).toBe("network");
    });

    it("fails at an event that isn't JSON, and keeps what was shown", async () => {
      await using open = await openWire(wire);
      open.fake.script({
        text: LONG,
        edit: (all) => [...all.slice(0, 4), { data: "{garbage" }, ...all.slice(4)],
      });
      const { error, events } = await failure(open.model(), requestFor());
      expect(error).toMatchObject({ kind: "network", message: expect.stringContaining("isn't JSON") });
      expect(events.every((event) => event.type !== "final")).toBe(true);
    });

    it("reads an error inside a 200 answer", async () => {
      await using open = await openWire(wire);
      const event = {
        type: "error",
        error: { type: "overloaded_error", status: "UNAVAILABLE", message: "Overloaded" },
      };
      open.fake.script({ text: "x", edit: (all) => [...all.slice(0, 1), { event: "error", data: event }] });
      expect((await failure(open.model(), requestFor())).error).toMatchObject({ kind: "overloaded" });
    });

    it("fails when content comes after the end", async () => {
      await using open = await openWire(wire);
      open.fake.script({
        text: LONG,
        edit: (all) => [...all.filter(({ data }) => data !== "[DONE]"), ...all.slice(1, 5)],
      });
      expect((await failure(open.model(), requestFor())).error.message).toMatch(/after its end/);
    });

    it("skips events it doesn't know", async () => {
      await using open = await openWire(wire);
      open.fake.script({
        text: "Fine.",
        edit: (all) => all.flatMap((one) => [one, { event: "new", data: { type: "brand.new" } }]),
      });
      expect((await run(open.model(), requestFor())).text).toBe("Fine.");
    });

    it("fails a body of cut JSON", async () => {
      await using open = await openWire(wire);
      open.fake.script({ text: "x", split: (bytes) => [bytes.subarray(0, bytes.length - 9)] });
      expect((await failure(open.model(), requestFor({ stream: false }))).error.kind).toBe("network");
    });

    it("takes one JSON body for a streamed request", async () => {
      await using open = await openWire(wire);
      await using other = await openWire(wire);
      other.fake.script({ text: "Whole." });
      const whole = await run(other.model(), requestFor({ stream: false }));
      expect(whole.text).toBe("");
      expect(whole.final.parts).toEqual([{ type: "text", text: "Whole." }]);
      open.fake.script({ text: "x", stop: "max_tokens" });
      expect((await run(open.model(), requestFor({ stream: false }))).final.stop).toBe("max_tokens");
    });
  });

  describe("bytes (T-STR-1)", () => {
    const answer: Answer = { text: ODD, parts: [{ type: "call", name: "read_file", args: { path: ODD } }] };
    const reads = async (split: NonNullable<Answer["split"]>): Promise<void> => {
      await using open = await openWire(wire);
      open.fake.script({ ...answer, split });
      const { text, final } = await run(open.model(), requestFor());
      expect(text).toBe(ODD);
      expect(callsOf(final)).toEqual([{ name: "read_file", args: { path: ODD } }]);
    };
    it("reads them one by one", () => reads((bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte))));
    it.each([7, 101, 333])("reads them cut at every %sth", (n) =>
      reads((bytes) => Array.from({ length: Math.ceil(bytes.length / n) }, (_, i) => bytes.subarray(i * n, i * n + n))),
    );
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
    it.each<[string, (text: string) => string]>([
      ["CRLF", (body) => body.replaceAll("\n", "\r\n")],
      ["lone CR", (body) => body.replaceAll("\n", "\r")],
      ["comments", (body) => body.replaceAll("data:", ": keep-alive\ndata:")],
      ["no blank after data:", (body) => body.replaceAll("data: ", "data:")],
      ["a leading byte order mark", (body) => `\ufeff${body}`],
      [
        "events of several data lines",
        (body) => body.replaceAll(/^data: (\{.*)$/gm, (_line, json: string) => lines(json)),
      ],
    ])("reads streams with %s", (_name, change) => reads((bytes) => [change(text(bytes))]));
  });

  describe("retries (MDL-52)", () => {
    it.each([429, 503, 529])("tries again after %s twice, then succeeds", async (status) => {
      await using open = await openWire(wire);
      open.fake.script(busy(status, { "retry-after-ms": "1" }), busy(status, { "retry-after-ms": "1" }), {
        text: "ok",
      });
      expect((await run(open.model({ maxRetries: 2 }), requestFor())).text).toBe("ok");
      expect(open.requests()).toHaveLength(3);
    });

    it.each([
      ["3 attempts with max_retries 2", 2, 3],
      ["1 with 0", 0, 1],
    ])("makes %s", async (_name, maxRetries, attempts) => {
      await using open = await openWire(wire);
      open.fake.script(...Array.from({ length: 5 }, () => busy(529, { "retry-after-ms": "1" })));
      expect((await failure(open.model({ maxRetries }), requestFor())).error.kind).toBe("overloaded");
      expect(open.requests()).toHaveLength(attempts);
    });

    it("makes none on 400, and none after output (MDL-53)", async () => {
      await using open = await openWire(wire);
      open.fake.script({ status: 400, body: { error: { message: "bad" } } });
      await failure(open.model({ maxRetries: 3 }), requestFor());
      expect(open.requests()).toHaveLength(1);
      open.fake.script({ text: LONG, edit: (all) => all.slice(0, 5), end: "reset" });
      const { events } = await failure(open.model({ maxRetries: 3 }), requestFor());
      expect(events.length).toBeGreaterThan(0);
      expect(open.requests()).toHaveLength(2);
    });

    it("tries again after an overload said inside a stream before output", async () => {
      await using open = await openWire(wire);
      const error = {
        type: "error",
        error: { type: "overloaded_error", status: "UNAVAILABLE", message: "Overloaded" },
      };
      open.fake.script({ text: "x", edit: () => [{ event: "error", data: error }] }, { text: "ok" });
      expect((await run(open.model({ maxRetries: 1 }), requestFor())).text).toBe("ok");
    });

    it("tries again when the connection drops before output", async () => {
      await using open = await openWire(wire);
      open.fake.script({ pieces: [], end: "reset" }, { text: "ok" });
      expect((await run(open.model({ maxRetries: 1 }), requestFor())).text).toBe("ok");
    });

    it.each(["9999999999", "3600"])("doesn't sleep through Retry-After %s but reports it (T-STR-4)", async (after) => {
      await using open = await openWire(wire);
      open.fake.script(busy(429, { "retry-after": after }));
      const { error } = await failure(open.model({ maxRetries: 2 }), requestFor());
      expect(error).toMatchObject({ kind: "rate_limited", retryAfterMs: Number(after) * 1000 });
      expect(error.message).toContain("asked to wait");
      expect(open.requests()).toHaveLength(1);
    });

    it("stops waiting when cancelled (T-STR-4)", async () => {
      await using open = await openWire(wire);
      open.fake.script(busy(429, { "retry-after": "30" }));
      const controller = new AbortController();
      const pending = failure(open.model({ maxRetries: 2 }), requestFor({ signal: controller.signal }));
      while (open.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error("enough"));
      expect((await pending).error.message).toBe("enough");
    });
  });

  describe("stalls (MDL-50)", () => {
    it("gives up when headers don't come, and doesn't ask again", async () => {
      await using open = await openWire(wire);
      const gate = Promise.withResolvers<void>();
      open.fake.script({ text: "late", hold: gate.promise });
      const { error } = await failure(open.model({ stallTimeoutMs: 60, maxRetries: 3 }), requestFor());
      expect(error).toMatchObject({ kind: "stalled", message: expect.stringMatching(/no data for 60 ms/) });
      expect(open.requests()).toHaveLength(1);
      gate.resolve();
    });

    it("gives up when the body stops, though keep-alives come", async () => {
      await using open = await openWire(wire);
      const noise = [": ping\n\n", "\n\n", 'event: ping\ndata: {"type":"ping"}\n\n'];
      const pieces = Array.from({ length: 60 }, (_, i) => [...noise, after(20 * (i + 1))]).flat();
      open.fake.script({
        text: LONG,
        edit: (all) => all.slice(0, 3),
        split: (bytes) => [bytes, ...pieces],
      });
      const { error } = await failure(open.model({ stallTimeoutMs: 150 }), requestFor());
      expect(error.kind).toBe("stalled");
    });

    it("doesn't wait for a body that stays open after the provider's own end", async () => {
      await using open = await openWire(wire);
      const opened = Promise.withResolvers<void>();
      open.fake.script({ text: "Done.", split: (bytes) => [bytes, opened.promise] });
      expect((await run(open.model({ stallTimeoutMs: 20_000 }), requestFor())).text).toBe("Done.");
      expect(await open.requests()[0]?.closed).toBe("aborted");
      opened.resolve();
    });

    it("never cuts a slow stream that goes on", async () => {
      await using open = await openWire(wire);
      const text = "A slow stream, a word at a time, goes on for longer than the limit allows a pause to be.";
      open.fake.script({
        text,
        split: (bytes) =>
          Buffer.from(bytes)
            .toString()
            .split(/(?<=\n\n)/)
            .flatMap((event, i) => [event, after(60 * (i + 1))]),
      });
      expect((await run(open.model({ stallTimeoutMs: 500 }), requestFor({ tools: [NOW] }))).text).toBe(text);
    });
  });
});

describe.each(WIRES.filter((wire) => wire !== "gemini"))("arguments over the %s wire", (wire) => {
  it.each([
    ["big.txt cut", '{"path":"big.txt","content":"line 1\nli'],
    ["an array cut", '{"path":["a","b"'],
    ["null", "null"],
    ["an array", "[]"],
    ["a text of JSON", '"{}"'],
    ["blanks", "  "],
    ["nothing", ""],
  ])("makes arguments that are %s an error of the call, not a guess (T-STR-3, MDL-31)", async (_name, argsText) => {
    await using open = await openWire(wire);
    const parts = ["read_file", "now"].map((name) => ({ type: "call", name, argsText }) as const);
    open.fake.script({ parts });
    const { final } = await run(open.model(), requestFor());
    const [cut, bare] = callsOf(final);
    expect(cut).toMatchObject({ args: {}, invalid: expect.any(String) });
    expect(bare?.args).toEqual({});
    expect(bare?.invalid === undefined).toBe(!argsText.includes("{") || argsText.startsWith('"'));
    await run(open.model(), requestFor({ messages: [user("hi"), ...answered(final.parts)] }));
    expect(open.fake.violations).toEqual([]);
  });
});

/** Settles so many milliseconds from now. */
function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The same JSON over several lines, each a data line of its own. */
function lines(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 1)
    .split("\n")
    .map((line) => `data: ${line}`)
    .join("\n");
}
