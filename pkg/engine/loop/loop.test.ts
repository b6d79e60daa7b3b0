// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason, type JsonObject, NO_USAGE, addUsage } from "@blitz/api";
import { describe, expect, it } from "vitest";
import type { Event, LogLine, Part } from "../history/index.js";
import { view } from "../history/index.js";
import { ModelError, type ModelFinal } from "../models/index.js";
import { createScriptedModel, type ScriptedAnswer } from "../models/testing/index.js";
import { createCalls, type Tool } from "../tools/call/index.js";
import { createSteering, type LoopEvent, type LoopRun, runLoop } from "./index.js";

const call = (id: string, name: string, args: JsonObject = {}): Part => ({ type: "toolCall", id, name, args });
const answer = (...parts: readonly Part[]): ScriptedAnswer => ({ parts });

const tool = (name: string, run: Tool["run"], more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  schema: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
  planAllowed: false,
  run,
  ...more,
});

/** A run over a log in memory; `mode` can be changed while it runs. */
function setUp(
  answers: readonly ScriptedAnswer[],
  tools: readonly Tool[],
  more: { maxParallel?: number; maxTurns?: number; maxCostUsd?: number; model?: string } = {},
) {
  const log: LogLine[] = [{ event: userEvent("go") }];
  const model = createScriptedModel(answers, more.model === undefined ? {} : { name: more.model });
  const events: LoopEvent[] = [];
  const state = {
    mode: undefined as { mode: string } | undefined,
    usage: NO_USAGE,
    denied: new Set<string>(),
  };
  const steering = createSteering();
  const calls = createCalls({
    tools,
    gate: { decide: async () => ({ allowed: false, why: "no" }) },
    audit: { write: () => undefined },
    denied: (name) => (state.denied.has(name) ? name : undefined),
  });
  let ids = 0;
  const deps = {
    calls,
    maxParallel: more.maxParallel ?? 8,
    newId: () => `id-${++ids}`,
    now: () => new Date(0),
    priceOf: () => ({ inputPerMtok: 1, outputPerMtok: 1 }),
  };
  const run: LoopRun = {
    model,
    system: "s",
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
    settings: {},
    steering,
    limits: { maxTurns: more.maxTurns ?? 0, maxCostUsd: more.maxCostUsd ?? 0, calls: 0, costUsd: 0 },
    emit: (event) => events.push(event),
    endAfterBatch: () => false,
    call: {
      sessionId: "s",
      turnId: "e-1",
      agent: "blitz",
      emit: (event) => events.push(event),
      restriction: () => state.mode,
      ask: undefined,
    },
    log: {
      log: async () => log,
      appendEvents: async (more) => void log.push(...more.map((event) => ({ event }))),
      addUsage: (used) => void (state.usage = addUsage(state.usage, used)),
    },
  };
  return {
    log,
    model,
    events,
    state,
    steering,
    go: (signal: AbortSignal = new AbortController().signal) => runLoop(deps, run, signal),
  };
}

function userEvent(text: string): Event {
  return { v: 1, id: "u", turn: "e-1", time: "", author: "user", role: "user", parts: [{ type: "text", text }] };
}

const results = (log: readonly LogLine[]): JsonObject[] =>
  log
    .flatMap((line) => ("event" in line ? line.event.parts : []))
    .flatMap((part) => (part.type === "toolResult" ? [part.result] : []));
const failed = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("runLoop", () => {
  it("calls tools until the model answers, everything logged in order (ENG-101, ENG-110)", async () => {
    const run = setUp(
      [answer({ type: "text", text: "look" }, call("a", "read", { n: 1 })), "done"],
      [tool("read", async (args) => ({ got: args["n"] }))],
    );
    expect(await run.go()).toEqual({ stop: "end", text: "done" });
    expect(run.log.map((line) => ("event" in line ? line.event.role : "?"))).toEqual([
      "user",
      "model",
      "tool",
      "model",
    ]);
    expect(results(run.log)).toEqual([{ got: 1 }]);
    expect(run.model.requests[1]?.messages).toEqual(view(run.log.slice(0, 3)));
  });

  it.each([
    [1, 1],
    [3, 3],
    [8, 5],
  ])("runs at most %i of five calls at once: %i (ENG-12)", async (maxParallel, most) => {
    let now = 0;
    let seen = 0;
    const release = Promise.withResolvers<void>();
    const slow = tool("slow", async () => {
      seen = Math.max(seen, ++now);
      if (now === most) release.resolve();
      await release.promise;
      now--;
      return {};
    });
    const five = ["1", "2", "3", "4", "5"].map((id) => call(id, "slow"));
    await setUp([answer(...five)], [slow], { maxParallel }).go();
    expect(seen).toBe(most);
  });

  it("turns what a tool throws into a result (ENG-12)", async () => {
    const run = setUp([answer(call("a", "bad"))], [tool("bad", () => Promise.reject(new Error("boom")))]);
    await run.go();
    expect(results(run.log)).toEqual([{ error: "bad failed: boom" }]);
  });

  it.each([
    [
      "an unknown tool with the nearest",
      call("a", "raed"),
      "there is no tool raed (did you mean read?); the tools are: read",
    ],
    [
      "a field of the wrong type",
      call("a", "read", { n: "x" }),
      /read was not run, its arguments are wrong: n: .*number.*; its fields: n/,
    ],
    ["a field it doesn't have", call("a", "read", { m: 1 }), /"m" is not a field|its fields: n/],
    [
      "arguments that aren't JSON (MDL-31)",
      { type: "toolCall", id: "a", name: "read", args: {}, invalid: "not JSON" } satisfies Part,
      "read was not run: not JSON",
    ],
  ])("answers %s with an error result (ENG-111)", async (_name, bad, message) => {
    let ran = false;
    const run = setUp([answer(bad)], [tool("read", async () => ((ran = true), {}))]);
    await run.go();
    expect(results(run.log)[0]?.["error"]).toMatch(message);
    expect(ran).toBe(false);
  });

  it("doesn't run the call an answer was cut in (T-STR-3)", async () => {
    const cut: Partial<ModelFinal> = {
      stop: "max_tokens",
      parts: [call("a", "read", { n: 1 }), call("b", "read", { n: 2 })],
    };
    const run = setUp([cut], [tool("read", async (args) => ({ got: args["n"] }))]);
    await run.go();
    expect(results(run.log)).toEqual([
      { got: 1 },
      { error: expect.stringContaining("the answer was cut at the output limit") },
    ]);
  });

  it.each([
    ["used before", "dup", "dup"],
    ["no provider takes", "first", "call:1/é"],
  ])("gives a call whose ID was %s another", async (_name, first, second) => {
    const run = setUp([answer(call(first, "read")), answer(call(second, "read"))], [tool("read", async () => ({}))]);
    await run.go();
    const ids = run.log
      .flatMap((line) => ("event" in line ? line.event.parts : []))
      .flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it("stops at exactly the model calls allowed (ENG-14)", async () => {
    const run = setUp(
      [answer(call("a", "read")), answer(call("b", "read")), "never"],
      [tool("read", async () => ({}))],
      { maxTurns: 2 },
    );
    const error = await failed(run.go());
    expect(isReason(error, "MAX_TURNS") && error.message).toBe("maximum turns reached (2 model calls)");
    expect(run.model.requests).toHaveLength(2);
    expect(run.log).toHaveLength(5);
  });

  it("makes no call a money limit doesn't cover, and shrinks the answer before that (ENG-130)", async () => {
    const run = setUp(
      [{ parts: [call("a", "read")], usage: { input: 1_000, cached: 0, cacheWrite: 0, output: 5_000 } }, "never"],
      [tool("read", async () => ({}))],
      { maxCostUsd: 0.007 },
    );
    const error = await failed(run.go());
    expect(isReason(error, "COST_LIMIT") && error.message).toBe("the turn reached its cost limit ($0.007)");
    expect(run.model.requests).toHaveLength(1);
    expect(run.model.requests[0]?.settings.maxTokens).toBeLessThan(7_000);
  });

  it("keeps a resumable log when it is cancelled in a batch (ENG-102, T-STR-5)", async () => {
    const abort = new AbortController();
    const reason = new Error("stop");
    const tools = [
      tool("quick", async () => ({ ok: true })),
      tool("hang", async (_args, { signal }) => {
        abort.abort(reason);
        signal.throwIfAborted();
        return {};
      }),
    ];
    const run = setUp([answer(call("a", "quick"), call("b", "hang"), call("c", "quick"))], tools, { maxParallel: 1 });
    expect(await failed(run.go(abort.signal))).toBe(reason);
    expect(results(run.log)).toEqual([
      { ok: true },
      { error: "interrupted by the user" },
      { error: "interrupted by the user" },
    ]);
  });

  it("gives the abort's own reason when a model call is cancelled", async () => {
    const abort = new AbortController();
    const run = setUp([{ parts: [], delay: Promise.resolve().then(() => abort.abort("why")) }], []);
    expect(await failed(run.go(abort.signal))).toBe("why");
    expect(run.log).toHaveLength(1);
  });

  it.each([
    ["rate_limited", "MODEL_FAILED"],
    ["quota", "QUOTA_EXCEEDED"],
  ] as const)("fails with %s as %s, the log as it was (ENG-15)", async (kind, reason) => {
    const run = setUp([{ error: new ModelError(kind, "sorry", { provider: "p", model: "m" }) }], []);
    const error = await failed(run.go());
    expect(isReason(error, reason) && error.message).toBe("sorry");
    expect(run.log).toHaveLength(1);
  });

  it.each([
    ["scripted", 404, "sorry"],
    ["claude-opus-5-6", 404, "sorry (did you mean claude-opus-5-5?)"],
    ["claude-opus-5-6", 500, "sorry"],
  ])("names the nearest model when the provider doesn't know %s (%i)", async (name, status, message) => {
    const error = new ModelError("api", "sorry", { provider: "p", model: name, status });
    const run = setUp([{ error }], [], { model: name });
    expect(await failed(run.go())).toMatchObject({ reason: "MODEL_FAILED", message });
  });

  it("refuses changing tools from the call on in which planning begins (ENG-31, ENG-34)", async () => {
    const run = setUp(
      [answer(call("a", "write")), answer(call("b", "write"), call("c", "read"))],
      [
        tool("write", async () => {
          run.state.mode = { mode: "plan" };
          return { written: true };
        }),
        tool("read", async () => ({ ok: true }), { planAllowed: true }),
      ],
    );
    await run.go();
    expect(results(run.log)).toEqual([
      { written: true },
      {
        error:
          "plan mode: write is disabled because it could change something. Describe this step in the plan instead.",
      },
      { ok: true },
    ]);
  });

  it("refuses a tool a rule denies by name (APR-56)", async () => {
    const run = setUp([answer(call("a", "read"))], [tool("read", async () => ({}))]);
    run.state.denied.add("read");
    await run.go();
    expect(results(run.log)).toEqual([{ error: "read is refused by the permission rule read" }]);
  });

  it("carries steering with the next result and returns the rest (ENG-40, ENG-41)", async () => {
    const run = setUp([answer(call("a", "read")), "done"], [tool("read", async () => ({ error: "kept" }))]);
    run.steering.push("one");
    run.steering.push("two");
    await run.go();
    expect(results(run.log)).toEqual([{ error: "kept", message_from_user: ["one", "two"] }]);
    run.steering.push("late");
    expect(run.steering.close()).toEqual(["late"]);
    expect(run.steering.open()).toBe(false);
  });

  it("tells a model that repeats a failing call, then stops it (ENG-112)", async () => {
    const same = Array.from({ length: 9 }, (_, at) => answer(call(`c${at}`, "read", { n: 1 })));
    const run = setUp(same, [tool("read", async () => ({ error: "no such file" }))]);
    expect((await run.go()).stop).toBe("stuck");
    expect(run.model.requests).toHaveLength(6);
    expect(results(run.log).map((result) => "repeated" in result)).toEqual([false, false, true, true, true, true]);
  });

  it("counts usage with its price after every call (ENG-80, ENG-81)", async () => {
    const used = { input: 100, cached: 10, cacheWrite: 0, output: 20 };
    const run = setUp(
      [
        { parts: [call("a", "read")], usage: used },
        { parts: [{ type: "text", text: "x" }], usage: used },
      ],
      [tool("read", async () => ({}))],
    );
    await run.go();
    expect(run.state.usage).toMatchObject({ calls: 2, input: 200, output: 40, lastPrompt: 100, priced: true });
    expect(run.state.usage.costUsd).toBeCloseTo(240 / 1e6, 12);
  });

  it("notes an answer cut at the output limit", async () => {
    const run = setUp([{ parts: [{ type: "text", text: "half" }], stop: "max_tokens" }], []);
    expect(await run.go()).toEqual({ stop: "max_tokens", text: "half" });
    expect(run.events).toContainEqual(expect.objectContaining({ type: "notice", error: true }));
  });

  it("says when the conversation no longer fits (MDL-28)", async () => {
    const error = await failed(setUp([{ parts: [], stop: "context_full" }], []).go());
    expect(isReason(error, "MODEL_FAILED") && error.metadata).toEqual({ model: "scripted", kind: "context_full" });
  });
});
