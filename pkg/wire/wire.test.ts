// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, type LiveEvent, type Request, type TurnEvent } from "@blitz/api";
import { BackgroundRunSchema, SessionInfoSchema } from "@blitz/proto/session";
import { RequestSchema, TurnEventSchema, TurnSchema, UsageSchema } from "@blitz/proto/turn";
import { AgentInfoSchema, CheckpointSchema, PermissionRuleSchema } from "@blitz/proto/workspace";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentInfoFromWire,
  agentInfoToWire,
  answerFromWire,
  answerToWire,
  backgroundRunFromWire,
  backgroundRunToWire,
  checkpointFromWire,
  checkpointToWire,
  dateFromWire,
  dateToWire,
  decisionFromWire,
  decisionToWire,
  liveEventFromWire,
  liveEventToWire,
  permissionRuleFromWire,
  permissionRuleToWire,
  requestFromWire,
  requestToWire,
  sessionInfoFromWire,
  sessionInfoToWire,
  turnFromWire,
  turnStateFromWire,
  turnStateToWire,
  turnToWire,
  usageFromWire,
  usageToWire,
} from "./index.js";

/** A message as the other side gets it. */
function sent<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): MessageShape<Desc> {
  return fromBinary(schema, toBinary(schema, create(schema, init)));
}

const text = fc.string({ unit: "binary" });
const full = fc.string({ unit: "binary", minLength: 1 });
const count = fc.maxSafeNat();
const small = fc.nat(2 ** 31 - 1);
const money = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
const date = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T00:00:00Z"),
  noInvalidDate: true,
});
const texts = fc.array(text, { maxLength: 4 });
/** The same record, each optional key there or absent. */
const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const both = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>): fc.Arbitrary<A & B> =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }));
const json = fc.dictionary(
  text.filter((key) => key !== "__proto__"),
  fc.jsonValue({ maxDepth: 5 }),
  { maxKeys: 4 },
);

const usage = fc.record({
  calls: count,
  input: count,
  cached: count,
  cacheWrite: count,
  output: count,
  lastPrompt: count,
  costUsd: money,
  priced: fc.boolean(),
  searchQueries: count,
  searchCostUsd: money,
});
const turn = both(
  fc.record({ text }),
  optional({
    prompt: full,
    plan: fc.constant(true),
    readOnly: fc.constant(true),
    accepted: fc.constant(true),
    maxTurns: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    maxCostUsd: fc.double({ min: 0.01, max: 1e9, noNaN: true }),
    timeoutMs: fc.integer({ min: 1, max: 1e12 }),
    onRequest: fc.constantFrom("wait", "deny"),
  }),
);
const asker = optional({ agent: full, taskId: full });
const approval = both(
  fc.record({
    tool: text,
    kind: fc.constantFrom("run_command", "write_file", "delete_file", "network", "mcp_tool"),
    detail: text,
    key: text,
    keyLabel: text,
    targets: texts,
    mustAsk: fc.boolean(),
  }),
  both(optional({ diff: full }), asker),
);
const question = both(
  fc.record({ question: text, options: fc.array(fc.record({ key: text, label: text }), { maxLength: 4 }) }),
  both(optional({ plan: full, multiSelect: fc.constant(true) }), asker),
);
const waiting = both(
  fc.record({ id: text, sessionId: text, turnId: text, created: date }),
  optional({ expires: date }),
);
const request = both(
  waiting,
  fc.oneof(
    approval.map((one) => ({ approval: one })),
    question.map((one) => ({ question: one })),
  ),
) as fc.Arbitrary<Request>;
const decision = fc.constantFrom("deny", "once", "session", "always");
const answer = fc.oneof(fc.record({ keys: fc.array(text, { minLength: 1, maxLength: 3 }) }), fc.record({ text }));
const turnEvent = both(
  fc.record({ author: text }),
  fc.oneof(
    fc.record({ type: fc.constant("text"), text, partial: fc.boolean(), repeat: fc.boolean(), thought: fc.boolean() }),
    fc.record({ type: fc.constant("tool_call"), id: text, name: text, args: json, partial: fc.boolean() }),
    fc.record({ type: fc.constant("tool_result"), id: text, name: text, result: json }),
    fc.record({
      type: fc.constant("tasks"),
      items: fc.array(fc.record({ content: text, status: fc.constantFrom("pending", "in_progress", "done") })),
    }),
    fc.record({ type: fc.constant("notice"), text, error: fc.boolean() }),
  ),
) as fc.Arbitrary<TurnEvent>;
const metadata = fc.dictionary(
  text.filter((key) => key !== "__proto__"),
  text,
  { maxKeys: 3, noNullPrototype: true },
);
const apiError = fc.tuple(text, text, metadata).map(([reason, words, data]) => new ApiError(reason, words, data));
const end = both(
  fc.record({ output: text, before: usage, after: usage, leftover: texts }),
  optional({ error: apiError }),
);
const liveEvent = both(
  fc.record({ n: count, turnId: text }),
  fc.oneof(
    fc.record({ type: fc.constant("accepted"), by: text }),
    turnEvent.map((event) => ({ type: "turn", event })),
    request.map((one) => ({ type: "request", request: one })),
    fc.record({ type: fc.constant("resolved"), id: text, outcome: fc.constantFrom("expired", "cancelled"), by: text }),
    fc.record({
      type: fc.constant("resolved"),
      id: text,
      outcome: fc.constant("answered"),
      by: text,
      answer: fc.oneof(decision, answer),
    }),
    end.map((one) => ({ type: "finished", end: one })),
  ),
) as fc.Arbitrary<LiveEvent>;
const state = both(
  fc.record({
    turnId: text,
    sessionId: text,
    by: text,
    phase: fc.constantFrom("running", "waiting", "suspended", "ended"),
    firstEvent: count,
    lastEvent: count,
    requests: fc.array(request, { maxLength: 3 }),
  }),
  optional({ started: date }),
);
const session = both(
  fc.record({
    id: text,
    title: text,
    agent: text,
    workspace: text,
    origin: fc.constantFrom("", "worker", "background"),
    messageCount: small,
    created: date,
    updated: date,
  }),
  optional({
    messages: fc.array(
      fc.record({
        role: fc.constantFrom("user", "model", "tool"),
        text,
        time: date,
        kind: fc.constantFrom("", "steer", "hook", "plan", "task"),
      }),
      { maxLength: 3 },
    ),
  }),
);
const run = both(
  fc.record({
    id: text,
    workspace: text,
    sessionId: text,
    prompt: text,
    state: fc.constantFrom("running", "waiting", "done", "failed", "stopped"),
    started: date,
    costUsd: money,
    waiting: small,
    error: text,
  }),
  optional({ ended: date }),
);

/** Checks that each value is the same after it went over the wire. */
function survives<T>(values: fc.Arbitrary<T>, there: (value: T) => unknown): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(there(value)).toStrictEqual(plain(value));
    }),
  );
}

/** What a value is to `toStrictEqual` apart from the prototypes a generator chose; -0 is 0 in whole numbers. */
function plain<T>(value: T): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

describe("a value that goes over the wire and comes back (PRT-07)", () => {
  it("is the same prompt", () => survives(turn, (value) => turnFromWire(sent(TurnSchema, turnToWire(value)))));

  it("is the same usage", () => survives(usage, (value) => usageFromWire(sent(UsageSchema, usageToWire(value)))));

  it("is the same request", () =>
    survives(request, (value) => requestFromWire(sent(RequestSchema, requestToWire(value)))));

  it("is the same decision and answer", () => {
    survives(decision, (value) => decisionFromWire(decisionToWire(value)));
    survives(answer, (value) => answerFromWire(answerToWire(value)));
  });

  it("is the same event, whatever happened", () =>
    survives(liveEvent, (value) => liveEventFromWire(sent(TurnEventSchema, liveEventToWire(value)))));

  it("is the same state of a turn", () =>
    survives(state, (value) => turnStateFromWire(sent(TurnEventSchema, turnStateToWire(value)))));

  it("is the same session, with messages or without", () =>
    survives(session, (value) => sessionInfoFromWire(sent(SessionInfoSchema, sessionInfoToWire(value)))));

  it("is the same background run", () =>
    survives(run, (value) => backgroundRunFromWire(sent(BackgroundRunSchema, backgroundRunToWire(value)))));

  it("is the same agent, rule and checkpoint", () => {
    survives(
      fc.record({ name: text, displayName: text, description: text, active: fc.boolean(), pinnedModel: text }),
      (value) => agentInfoFromWire(sent(AgentInfoSchema, agentInfoToWire(value))),
    );
    survives(
      fc.record({
        effect: fc.constantFrom("deny", "ask", "allow"),
        rule: text,
        source: fc.constantFrom("global", "workspace", "project", "built-in", "flag", "session"),
      }),
      (value) => permissionRuleFromWire(sent(PermissionRuleSchema, permissionRuleToWire(value))),
    );
    survives(fc.record({ id: text, label: text, time: date, files: texts }), (value) =>
      checkpointFromWire(sent(CheckpointSchema, checkpointToWire(value))),
    );
  });
});

describe("values no message can hold", () => {
  it("cuts moments and limits to what can be sent, and takes what is none for unset (PRT-03)", () => {
    expect(dateFromWire(dateToWire(new Date(Number.NaN)))).toEqual(new Date(0));
    expect(dateFromWire(dateToWire(new Date(8.64e15)))).toEqual(new Date("9999-12-31T23:59:59.999Z"));
    expect(dateFromWire(dateToWire(new Date(-8.64e15)))).toEqual(new Date("0001-01-01T00:00:00.000Z"));
    expect(dateFromWire({ ...dateToWire(new Date(0)), seconds: 1n << 62n })).toBeUndefined();
    expect(dateFromWire(undefined)).toBeUndefined();
    const limits = { maxTurns: Number.POSITIVE_INFINITY, maxCostUsd: Number.NaN, timeoutMs: Number.POSITIVE_INFINITY };
    expect(turnFromWire(sent(TurnSchema, turnToWire({ text: "x", ...limits })))).toEqual({
      text: "x",
      maxTurns: 2 ** 31 - 1,
    });
    expect(turnFromWire(sent(TurnSchema, turnToWire({ text: "x", timeoutMs: 1_500.25 })))).toEqual({
      text: "x",
      timeoutMs: 1_500.25,
    });
    expect(turnFromWire(sent(TurnSchema, turnToWire({ text: "x", timeoutMs: 1e300 }))).timeoutMs).toBeGreaterThan(1e14);
    expect(turnFromWire(sent(TurnSchema, turnToWire({ text: "x", maxTurns: -1, timeoutMs: -1 })))).toEqual({
      text: "x",
    });
  });

  it("cuts counts to whole numbers", () => {
    const odd = { calls: Number.NaN, input: 1.5, cached: Number.POSITIVE_INFINITY, cacheWrite: -1, output: 2 ** 60 };
    const given = { ...odd, lastPrompt: 0, costUsd: 0, priced: true, searchQueries: 0, searchCostUsd: 0 };
    expect(usageFromWire(sent(UsageSchema, usageToWire(given)))).toEqual({
      ...given,
      calls: 0,
      input: 1,
      cached: Number.MAX_SAFE_INTEGER,
      output: Number.MAX_SAFE_INTEGER,
    });
  });
});

const args = (value: unknown): unknown => {
  const event = { author: "a", type: "tool_call", id: "1", name: "t", partial: false, args: value as object } as const;
  const back = liveEventFromWire(
    sent(TurnEventSchema, liveEventToWire({ n: 1, turnId: "e", type: "turn", event: event as never })),
  );
  return back?.type === "turn" && back.event.type === "tool_call" ? back.event.args : undefined;
};
const nested = (levels: number): object => {
  let value: object = { end: true };
  for (let at = 1; at < levels; at++) value = at % 2 === 0 ? { in: value } : [value];
  return { value };
};

describe("arguments and results", () => {
  it("lose what JSON can't carry, and nothing else (PRT-03)", () => {
    const cycle: Record<string, unknown> = { name: "c" };
    cycle["self"] = { cycle };
    const throwing = Object.defineProperty({ kept: 1 }, "get", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(
      args({
        none: undefined,
        call: () => 1,
        big: 1n,
        nan: Number.NaN,
        infinite: Number.NEGATIVE_INFINITY,
        symbol: Symbol("s"),
        nothing: null,
        list: [undefined, 1, () => 1],
        at: new Date(0),
        never: new Date(Number.NaN),
        link: new URL("http://x.test/"),
        refusing: {
          toJSON: () => {
            throw new Error("no");
          },
        },
        throwing,
        cycle,
        twice: [cycle, cycle],
        deep: { a: { b: [{ c: "d" }] } },
      }),
    ).toEqual({
      nothing: null,
      list: [null, 1, null],
      at: "1970-01-01T00:00:00.000Z",
      never: null,
      link: "http://x.test/",
      throwing: { kept: 1 },
      cycle: { name: "c", self: {} },
      twice: [
        { name: "c", self: {} },
        { name: "c", self: {} },
      ],
      deep: { a: { b: [{ c: "d" }] } },
    });
  });

  it("may be nested deeply, and lose only what is deeper than a peer decodes", () => {
    expect(args(nested(39))).toEqual(nested(39));
    expect(JSON.stringify(args(nested(40)))).not.toContain("end");
    expect(JSON.stringify(args(nested(5_000)))).toContain('{"value":');
  });

  it("have well-formed keys and values (PRT-09)", () => {
    expect(args({ "a\ud800": "b\udfff", list: ["\ud800"], __proto__: null })).toEqual({
      "a\ufffd": "b\ufffd",
      list: ["\ufffd"],
    });
    const named = JSON.parse('{"__proto__":{"x":1},"b":2}') as object;
    expect(JSON.stringify(args(named))).toBe('{"__proto__":{"x":1},"b":2}');
  });
});

describe("hostile text (PRT-09)", () => {
  const back = (event: LiveEvent): LiveEvent | undefined =>
    liveEventFromWire(sent(TurnEventSchema, liveEventToWire(event)));
  const lone = "x\ud800y";
  const mended = "x\ufffdy";

  it("comes through whole when it is well-formed: NUL, controls, a megabyte", () => {
    for (const given of ["\0", "\u001b[31m\r\n", "\u{1f600}\u202e", "é".repeat(1 << 20)]) {
      const event: LiveEvent = {
        n: 1,
        turnId: "e",
        type: "turn",
        event: { author: given, type: "notice", text: given, error: false },
      };
      expect(back(event)).toEqual(event);
    }
  });

  it("is mended wherever a lone surrogate may be", () => {
    const error = new ApiError("MODEL_FAILED", lone, { [lone]: lone });
    const zero = {
      calls: 0,
      input: 0,
      cached: 0,
      cacheWrite: 0,
      output: 0,
      lastPrompt: 0,
      costUsd: 0,
      priced: true,
      searchQueries: 0,
      searchCostUsd: 0,
    };
    const about = { id: lone, sessionId: lone, turnId: lone, created: new Date(0) };
    const asked = {
      tool: lone,
      kind: "network",
      detail: lone,
      diff: lone,
      key: lone,
      keyLabel: lone,
      targets: [lone],
      mustAsk: false,
      agent: lone,
      taskId: lone,
    } as const;
    const events: LiveEvent[] = [
      { n: 1, turnId: lone, type: "accepted", by: lone },
      { n: 1, turnId: lone, type: "request", request: { ...about, approval: asked } },
      {
        n: 1,
        turnId: lone,
        type: "request",
        request: {
          ...about,
          question: { question: lone, plan: lone, options: [{ key: lone, label: lone }], agent: lone },
        },
      },
      { n: 1, turnId: lone, type: "resolved", id: lone, outcome: "answered", by: lone, answer: { text: lone } },
      { n: 1, turnId: lone, type: "resolved", id: lone, outcome: "answered", by: lone, answer: { keys: [lone] } },
      {
        n: 1,
        turnId: lone,
        type: "turn",
        event: { author: lone, type: "tasks", items: [{ content: lone, status: "done" }] },
      },
      {
        n: 1,
        turnId: lone,
        type: "turn",
        event: { author: lone, type: "tool_result", id: lone, name: lone, result: { [lone]: lone } },
      },
      {
        n: 1,
        turnId: lone,
        type: "finished",
        end: { output: lone, before: zero, after: zero, leftover: [lone], error },
      },
    ];
    for (const event of events) {
      const mend = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll("\\ud800", "\ufffd"));
      const got = back(event);
      expect(mend(got)).toEqual(mend(event));
      expect(JSON.stringify(got)).not.toContain("\\ud800");
      if (got?.type === "finished") {
        expect(got.end.error).toMatchObject({ message: mended, metadata: { [mended]: mended } });
      }
    }
  });
});

describe("a message of a newer peer", () => {
  it("is dropped when its kind is unknown (CTR-20)", () => {
    const unknown = new Uint8Array([0x08, 0x07, 0xba, 0x06, 0x01, 0x78]); // n = 7, and field 103, which there isn't
    const message = fromBinary(TurnEventSchema, unknown);
    expect(message.n).toBe(7n);
    expect(liveEventFromWire(message)).toBeUndefined();
    expect(turnStateFromWire(message)).toBeUndefined();
    expect(requestFromWire(fromBinary(RequestSchema, unknown.subarray(2)))).toBeUndefined();
  });

  it("drops only the requests it doesn't know from a state, and tells a state from an event", () => {
    const known = { request: { case: "question", value: { requestId: "q", question: "?" } } } as const;
    const message = sent(TurnEventSchema, { event: { case: "state", value: { requests: [{}, known] } } });
    expect(turnStateFromWire(message)?.requests).toMatchObject([{ id: "q", question: { question: "?" } }]);
    expect(liveEventFromWire(message)).toBeUndefined();
  });

  it("is read as the nearest known thing when an enum's value is unknown (40)", () => {
    const event = (init: MessageInitShape<typeof TurnEventSchema>["event"]) =>
      liveEventFromWire(sent(TurnEventSchema, { n: 1n, event: init } as MessageInitShape<typeof TurnEventSchema>));
    expect(event({ case: "approvalRequest", value: { kind: 99 as never } })).toMatchObject({
      request: { approval: { kind: "run_command" } },
    });
    expect(event({ case: "tasks", value: { items: [{ content: "c", status: 99 as never }] } })).toMatchObject({
      event: { items: [{ content: "c", status: "pending" }] },
    });
    const odd = event({ case: "requestResolved", value: { requestId: "r", outcome: 99 as never, by: "b" } });
    expect(odd).toEqual({ n: 1, turnId: "", type: "resolved", id: "r", outcome: "cancelled", by: "b" });
    const unheard = event({ case: "requestResolved", value: { requestId: "r", outcome: 1, decision: 99 as never } });
    expect(unheard).not.toHaveProperty("answer");
    const state99 = sent(TurnEventSchema, { event: { case: "state", value: { phase: 99 as never } } });
    expect(turnStateFromWire(state99)?.phase).toBe("running");
    expect(turnFromWire(sent(TurnSchema, { text: "x", onRequest: 99 as never }))).toEqual({ text: "x" });
    expect(decisionFromWire(99 as never)).toBeUndefined();
    expect(decisionToWire("maybe" as "once")).toBe(0);
    expect(backgroundRunFromWire(sent(BackgroundRunSchema, { state: 99 as never })).state).toBe("running");
    const over = { state: 99 as never, ended: dateToWire(new Date(1)) };
    expect(backgroundRunFromWire(sent(BackgroundRunSchema, over)).state).toBe("stopped");
    const info = sent(SessionInfoSchema, {
      origin: "new",
      hasMessages: true,
      messages: [{ role: "odd", kind: "odd" }],
    });
    expect(sessionInfoFromWire(info)).toMatchObject({ origin: "new", messages: [{ role: "odd", kind: "odd" }] });
  });

  it("may leave out what every peer sends", () => {
    const finished = liveEventFromWire(sent(TurnEventSchema, { event: { case: "finished", value: {} } }));
    expect(finished).toMatchObject({ type: "finished", end: { before: { calls: 0 }, after: { calls: 0 } } });
    const call = liveEventFromWire(sent(TurnEventSchema, { event: { case: "toolCall", value: {} } }));
    expect(call).toMatchObject({ event: { args: {} } });
    const result = liveEventFromWire(sent(TurnEventSchema, { event: { case: "toolResult", value: {} } }));
    expect(result).toMatchObject({ event: { result: {} } });
    expect(sessionInfoFromWire(sent(SessionInfoSchema, {})).created).toEqual(new Date(0));
  });
});
