// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalRequest, Decision, Ui } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRequestBroker, type SavedRequest, type TurnHooks } from "./index.js";

const approval: ApprovalRequest = {
  tool: "edit",
  kind: "write_file",
  detail: "edit a.txt",
  key: "write:/w",
  keyLabel: "edits",
  targets: ["a.txt"],
  mustAsk: false,
};
const question = { question: "Which?", options: [{ key: "1", label: "red" }] };
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

function setUp(
  more: { ui?: Ui; isHosted?: boolean; expiryMs?: number; saved?: readonly SavedRequest[]; refuses?: boolean } = {},
) {
  let ids = 0;
  const did: string[] = [];
  const broker = createRequestBroker({
    now: () => new Date(Date.now()),
    newId: () => `r${++ids}`,
    ui: () => more.ui,
    isHosted: more.isHosted ?? true,
    expiryMs: more.expiryMs ?? 60_000,
  });
  const hooks: TurnHooks = {
    save: async () =>
      void did.push(
        `save ${turn
          .saved()
          .map((one) => one.request.id + (one.settled?.outcome ?? ""))
          .join()}`,
      ),
    onAsked: (request) => void did.push(`asked ${request.id}`),
    onResolved: ({ id, outcome, by }) => void did.push(`resolved ${id} ${outcome} ${by}`),
    onReady: () => void did.push("ready"),
  };
  const turn = broker.open(
    {
      sessionId: "s",
      turnId: "e-1",
      refuses: more.refuses ?? false,
      ...(more.saved === undefined ? {} : { saved: more.saved }),
    },
    hooks,
  );
  return { broker, turn, did };
}

const settledBy = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

describe("a request", () => {
  it("is saved before it is shown, and again before its asker goes on (SVC-25, 26)", async () => {
    const { broker, turn, did } = setUp();
    const asking = turn.ask({ approval }, "c1", never);
    await settledBy();
    expect(broker.pending()).toEqual([
      { id: "r1", sessionId: "s", turnId: "e-1", created: new Date(1_000), expires: new Date(61_000), approval },
    ]);
    expect(await broker.answer("r1", "once", "cli;two")).toEqual({ won: true, by: "cli;two", answer: "once" });
    expect(await asking).toEqual({ outcome: "answered", answer: "once", by: "cli;two" });
    expect(did).toEqual(["save r1", "asked r1", "save r1answered", "resolved r1 answered cli;two", "save "]);
    expect(broker.pending("s")).toEqual([]);
  });

  it("is answered once: later answers learn whose counts, for ten minutes (SVC-26)", async () => {
    const { broker, turn } = setUp();
    void turn.ask({ approval }, "c1", never);
    await settledBy();
    const [first, second] = await Promise.all([broker.answer("r1", "deny", "one"), broker.answer("r1", "once", "two")]);
    expect([first, second]).toEqual([
      { won: true, by: "one", answer: "deny" },
      { won: false, by: "one", answer: "deny" },
    ]);
    vi.advanceTimersByTime(10 * 60_000 + 1);
    await expect(broker.answer("r1", "once", "two")).rejects.toMatchObject({ reason: "UNKNOWN_REQUEST" });
    await expect(broker.answer("nothing", "once", "two")).rejects.toMatchObject({ metadata: { id: "nothing" } });
  });

  it.each([
    ["a decision that is none", { approval }, "yes" as Decision, "INVALID_DECISION"],
    ["keys for an approval", { approval }, { keys: ["1"] }, "INVALID_DECISION"],
    ["a decision for a question", { question }, "once" as const, "INVALID_ANSWER"],
    ["an unknown key", { question }, { keys: ["9"] }, "INVALID_ANSWER"],
    ["no key", { question }, { keys: [] }, "INVALID_ANSWER"],
    ["two keys where one counts", { question }, { keys: ["1", "1"] }, "INVALID_ANSWER"],
  ])("stays open after %s (CTR-11)", async (_name, what, answer, reason) => {
    const { broker, turn } = setUp();
    void turn.ask(what, "c1", never);
    await settledBy();
    await expect(broker.answer("r1", answer, "x")).rejects.toMatchObject({ reason });
    expect(broker.pending()).toHaveLength(1);
  });

  it("takes free text, and several keys where several may be chosen", async () => {
    const { broker, turn } = setUp();
    const asking = [
      turn.ask({ question }, "c1", never),
      turn.ask({ question: { ...question, multiSelect: true } }, "c2", never),
    ];
    await settledBy();
    await broker.answer("r1", { text: "green" }, "x");
    await broker.answer("r2", { keys: ["1", "1"] }, "x");
    expect(await Promise.all(asking)).toMatchObject([{ answer: { text: "green" } }, { answer: { keys: ["1", "1"] } }]);
  });

  it("expires unanswered, also across a clock that was set back; never with 0 (SVC-26)", async () => {
    const { turn, broker } = setUp();
    const asking = turn.ask({ approval }, "c1", never);
    await settledBy();
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(broker.pending()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await asking).toEqual({ outcome: "expired" });
    const lasting = setUp({ expiryMs: 0 });
    void lasting.turn.ask({ approval }, "c1", never);
    await vi.advanceTimersByTimeAsync(400 * 24 * 3_600_000);
    expect(lasting.broker.pending()[0]).not.toHaveProperty("expires");
  });

  it("is withdrawn when the call is cancelled or the turn ends, and can't be answered then (APR-52)", async () => {
    const { turn, broker, did } = setUp();
    const cancel = new AbortController();
    const asking = [turn.ask({ approval }, "c1", cancel.signal), turn.ask({ question }, "c2", never)];
    await settledBy();
    cancel.abort();
    expect(await asking[0]).toEqual({ outcome: "cancelled" });
    await turn.end();
    expect(await asking[1]).toEqual({ outcome: "cancelled" });
    expect(did.filter((line) => line.startsWith("resolved"))).toEqual([
      "resolved r1 cancelled ",
      "resolved r2 cancelled ",
    ]);
    await expect(broker.answer("r1", "once", "x")).rejects.toMatchObject({ reason: "UNKNOWN_REQUEST" });
  });

  it.each([
    ["no front end here", { isHosted: false }],
    ["a turn that refuses", { refuses: true }],
  ])("is refused at once with %s (SVC-23)", async (_name, more) => {
    const { turn, did } = setUp(more);
    expect([turn.canAsk(), await turn.ask({ approval }, "c1", never), did]).toEqual([false, { outcome: "nobody" }, []]);
  });
});

describe("a front end of this process", () => {
  it("is asked beside everybody else; its prompt closes when another answers", async () => {
    const signals: AbortSignal[] = [];
    const ui: Ui = {
      approve: (_request, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      ask: async () => ({ keys: ["1"] }),
    };
    const { turn, broker } = setUp({ ui, isHosted: false });
    const asking = turn.ask({ approval }, "c1", never);
    await settledBy();
    expect(broker.pending()[0]).not.toHaveProperty("expires");
    await broker.answer("r1", "session", "other");
    expect([await asking, signals[0]?.aborted]).toEqual([
      { outcome: "answered", answer: "session", by: "other" },
      true,
    ]);
    expect(await turn.ask({ question }, "c2", never)).toMatchObject({ answer: { keys: ["1"] }, by: "local" });
  });

  it("that fails gives no answer, and says why (APR-12)", async () => {
    const ui: Ui = { approve: () => Promise.reject(new Error("gone")), ask: async () => ({ keys: ["9"] }) };
    const { turn } = setUp({ ui, isHosted: false });
    expect(await turn.ask({ approval }, "c1", never)).toEqual({ outcome: "failed", why: "gone" });
    expect(await turn.ask({ question }, "c2", never)).toEqual({ outcome: "failed", why: "there is no option 9" });
  });
});

describe("a request of an earlier process", () => {
  const request = {
    id: "old",
    sessionId: "s",
    turnId: "e-1",
    created: new Date(1),
    expires: new Date(9_000),
    approval,
  };

  it("is listed again under its ID, and the turn can go on when it is answered (SVC-25)", async () => {
    const { broker, turn, did } = setUp({ saved: [{ request, callId: "c1" }] });
    expect(broker.pending()).toEqual([request]);
    await broker.answer("old", "once", "two");
    expect(did).toEqual(["save oldanswered", "resolved old answered two", "ready"]);
    expect(await turn.ask({ approval }, "c1", never)).toMatchObject({ outcome: "answered", answer: "once" });
    expect(did.at(-1)).toBe("save ");
  });

  it("isn't taken for another one: what would be shown now must be what was shown then (FS-31)", async () => {
    const { broker, turn } = setUp({ saved: [{ request, callId: "c1" }] });
    await broker.answer("old", "once", "two");
    const other = turn.ask({ approval: { ...approval, diff: "changed meanwhile" } }, "c1", never);
    await settledBy();
    expect(broker.pending().map((one) => one.id)).toEqual(["r1"]);
    await broker.answer("r1", "deny", "two");
    expect(await other).toMatchObject({ answer: "deny" });
  });

  it("is withdrawn when its call asks something else, or nothing any more (ENG-104)", async () => {
    const second = { ...request, id: "second" };
    const { broker, turn, did } = setUp({
      saved: [
        { request, callId: "c1" },
        { request: second, callId: "c2" },
      ],
    });
    void turn.ask({ approval: { ...approval, diff: "changed meanwhile" } }, "c1", never);
    await settledBy();
    expect(broker.pending().map((one) => one.id)).toEqual(["second", "r1"]);
    await turn.withdrawUnasked();
    expect(broker.pending().map((one) => one.id)).toEqual(["r1"]);
    expect(did.filter((line) => line.startsWith("resolved"))).toEqual([
      "resolved old cancelled ",
      "resolved second cancelled ",
    ]);
    await expect(broker.answer("old", "once", "x")).rejects.toMatchObject({ reason: "UNKNOWN_REQUEST" });
  });

  it("expires like any other, and its turn goes on then", async () => {
    const { did } = setUp({ saved: [{ request, callId: "c1" }] });
    await vi.advanceTimersByTimeAsync(8_000);
    expect(did).toEqual(["save oldexpired", "resolved old expired ", "ready"]);
  });
});
