// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, apiError, type LiveEvent, type TurnEvent, type TurnHandlers } from "@blitz/api";
import { create } from "@bufbuild/protobuf";
import { TurnEventSchema } from "@blitz/proto/turn";
import { describe, expect, it, vi } from "vitest";
import {
  accepted,
  approval,
  attachTo,
  failing,
  failureOf,
  finished,
  gone,
  message,
  say,
  type Sessions,
  stateMessage,
} from "./testing/fake-service.js";

/** Handlers that note what they are told. */
function noting(more: Partial<TurnHandlers> = {}) {
  const told: string[] = [];
  const events: TurnEvent[] = [];
  const live: LiveEvent[] = [];
  const handlers: TurnHandlers = {
    onEvent: (event) => {
      events.push(event);
      told.push(event.type === "notice" ? event.text : event.type);
    },
    onLive: (event) => void live.push(event),
    onAccepted: () => void told.push("accepted"),
    onFinished: () => void told.push("finished"),
    ...more,
  };
  return { told, events, live, handlers };
}

/** A promise that is settled from outside, and whether anybody waits for it. */
const gate = () => Promise.withResolvers<void>();

describe("running a turn in the service (CL-05)", () => {
  it("tells its events in order and returns its result", async () => {
    const sent: unknown[] = [];
    const { backend } = await attachTo({
      runTurn: async function* ({ workspace, sessionId, turn }) {
        sent.push([workspace, sessionId, turn?.text, turn?.maxTurns]);
        yield message(1, accepted);
        yield message(2, say("hello"));
        yield message(3, finished({ leftover: ["later"] }));
      },
    });
    const { told, live, handlers } = noting();
    const result = await backend.run("s", { text: "go", maxTurns: 3 }, handlers);
    expect(sent).toEqual([["/ws", "s", "go", 3]]);
    expect(result).toMatchObject({ output: "done", leftover: ["later"], before: { calls: 0 } });
    expect(result).not.toHaveProperty("error");
    expect(told).toEqual(["accepted", "hello", "finished"]);
    expect(live.map((event) => event.n)).toEqual([1, 2, 3]);
  });

  it.each([
    ["before its first event", "SESSION_BUSY", false],
    ["in its end", "MAX_TURNS", true],
    ["in its end, with a reason this client doesn't know", "NEWER_REASON", true],
  ])("rejects with the typed error it failed with %s (CL-06)", async (_name, reason, isStarted) => {
    const error = new ApiError(reason, "words", { limit: "1" });
    const { backend, waits } = await attachTo({
      runTurn: async function* () {
        if (!isStarted) throw error;
        yield message(1, finished({ error }));
      },
    });
    const { told, handlers } = noting();
    expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toStrictEqual(error);
    expect([told, waits]).toEqual([isStarted ? ["finished"] : [], []]);
  });

  it("rejects with an abort when somebody else cancelled it", async () => {
    const error = apiError("CANCELLED", "the turn was cancelled", {});
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, finished({ error }));
      },
    });
    const failure = await failureOf(backend.run("s", { text: "x" }, noting().handlers));
    expect(failure).toBeInstanceOf(DOMException);
    expect(failure).toMatchObject({ name: "AbortError", message: "the turn was cancelled" });
  });

  it("ignores events of a newer service, and doesn't ask for them again", async () => {
    const asked: bigint[] = [];
    const unknown = create(TurnEventSchema, { n: 2n, turnId: "e-1" });
    unknown.$unknown = [{ no: 103, wireType: 2, data: new Uint8Array([1, 120]) }];
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, accepted);
        yield { event: unknown };
        yield {};
        throw gone();
      },
      watchSession: async function* ({ after }) {
        asked.push(after);
        yield stateMessage();
        yield message(3, finished());
      },
    });
    const { told, handlers } = noting();
    await backend.run("s", { text: "x" }, handlers);
    expect([told, asked]).toEqual([["accepted", "finished"], [2n]]);
  });

  it("says that a service is older when it can't run turns (CL-21)", async () => {
    const { backend, waits } = await attachTo({});
    const failure = await failureOf(backend.run("s", { text: "x" }, noting().handlers));
    expect(failure).toMatchObject({ reason: "SERVICE_UNAVAILABLE", message: expect.stringMatching(/older.*restart/) });
    expect(waits).toEqual([]);
  });
});

describe("requests of a turn that runs here (CL-05, SVC-26)", () => {
  const question = {
    id: "q",
    sessionId: "s",
    turnId: "e-1",
    created: new Date(0),
    question: { question: "Which?", options: [{ key: "1", label: "red" }] },
  };
  /** A service that asks, goes on telling, and ends when every request has been answered. */
  function asking(answers: string[]): Sessions {
    const all = gate();
    const add = (answer: string): void => {
      answers.push(answer);
      if (answers.length === 2) all.resolve();
    };
    return {
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        yield message(2, { type: "request", request: question });
        yield message(3, say("still here"));
        await all.promise;
        yield message(4, finished());
      },
      approve: ({ requestId, decision }) => {
        add(`${requestId} ${decision}`);
        return { won: true, by: "me", decision };
      },
      answer: ({ requestId, keys }) => {
        add(`${requestId} ${keys.join()}`);
        return { won: true, by: "me", keys };
      },
    };
  }

  it("are put to the front end beside the stream, and answered there", async () => {
    const answers: string[] = [];
    const { backend } = await attachTo(asking(answers));
    const heard = gate();
    const { told, handlers } = noting();
    backend.setUi({
      approve: async () => {
        await heard.promise; // the stream goes on meanwhile, or this never ends
        return "once";
      },
      ask: async ({ options }) => ({ keys: [options[0]?.key ?? ""] }),
    });
    const onEvent = (event: TurnEvent): void => {
      handlers.onEvent(event);
      heard.resolve();
    };
    await backend.run("s", { text: "x" }, { ...handlers, onEvent });
    expect([answers.toSorted(), told]).toEqual([
      ["a 2", "q 1"],
      ["still here", "finished"],
    ]);
  });

  it.each([
    ["there is no front end", undefined],
    [
      "the front end throws",
      {
        approve: (): never => {
          throw new Error("no terminal");
        },
        ask: () => Promise.reject(new Error("no terminal")),
      },
    ],
  ])("stay open for other clients when %s (CTR-10)", async (_name, ui) => {
    const approve = vi.fn();
    const { backend, warnings } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        yield message(2, { type: "request", request: question });
        yield message(3, finished());
      },
      approve,
    });
    backend.setUi(ui);
    await backend.run("s", { text: "x" }, noting().handlers);
    expect([approve.mock.calls, warnings]).toEqual([[], []]);
  });

  it("close their prompt when they are answered elsewhere, and its late answer isn't sent", async () => {
    const closed = gate();
    const late = gate();
    const approve = vi.fn();
    const { backend, warnings } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        yield message(2, { type: "resolved", id: "a", outcome: "answered", by: "cli;other", answer: "deny" });
        await closed.promise;
        yield message(3, say("on"));
        await late.promise;
        yield message(4, finished());
      },
      approve,
    });
    const { live, handlers } = noting();
    backend.setUi({
      approve: async (_request, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        closed.resolve();
        setImmediate(late.resolve);
        return "once";
      },
      ask: () => Promise.reject(new Error("not asked")),
    });
    await backend.run("s", { text: "x" }, handlers);
    expect(live[1]).toMatchObject({ type: "resolved", by: "cli;other", answer: "deny" });
    expect([approve.mock.calls, warnings]).toEqual([[], []]);
  });

  it("close their prompts when the turn ends", async () => {
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        yield message(2, finished());
      },
    });
    const closed = gate();
    backend.setUi({
      approve: (_request, signal) => {
        signal.addEventListener("abort", () => closed.resolve());
        return new Promise(() => undefined); // a front end that never settles holds nothing up
      },
      ask: () => Promise.reject(new Error("not asked")),
    });
    await backend.run("s", { text: "x" }, noting().handlers);
    await closed.promise;
  });

  it("warn when an answer is refused", async () => {
    const told = gate();
    const { backend, warnings } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        await told.promise;
        yield message(2, finished());
      },
      approve: () => {
        setImmediate(told.resolve);
        throw apiError("INVALID_DECISION", "no decision was given", {});
      },
    });
    backend.setUi({ approve: async () => "maybe" as "once", ask: () => Promise.reject(new Error("not asked")) });
    await backend.run("s", { text: "x" }, noting().handlers);
    expect(warnings).toEqual(["the answer couldn't be given: no decision was given"]);
  });

  it("are answered again when the service was away meanwhile", async () => {
    const answered = gate();
    let calls = 0;
    const { backend, warnings } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        await answered.promise;
        yield message(2, finished());
      },
      approve: ({ decision }) => {
        if (calls++ === 0) throw gone();
        answered.resolve();
        return { won: true, by: "me", decision };
      },
    });
    backend.setUi({ approve: async () => "session", ask: () => Promise.reject(new Error("not asked")) });
    await backend.run("s", { text: "x" }, noting().handlers);
    expect([calls, warnings]).toEqual([2, []]);
  });
});

describe("cancelling a turn that runs here (CTR-06)", () => {
  /** A service whose turn ends when it is cancelled. */
  function cancellable(calls: string[], begin: Promise<void> = Promise.resolve()): Sessions {
    const cancelled = gate();
    return {
      runTurn: async function* () {
        await begin;
        yield message(1, accepted);
        await cancelled.promise;
        yield message(2, say("winding up"));
        yield message(3, finished({ error: apiError("CANCELLED", "the turn was cancelled", {}) }));
      },
      cancelTurn: ({ sessionId, turnId }) => {
        calls.push(`${sessionId} ${turnId}`);
        cancelled.resolve();
        return { cancelled: true };
      },
    };
  }
  const why = new Error("enough");

  it("cancels it in the service, waits for its end, and rejects with the signal's reason", async () => {
    const calls: string[] = [];
    const { backend } = await attachTo(cancellable(calls));
    const stop = new AbortController();
    const { told, handlers } = noting({ signal: stop.signal, onAccepted: () => stop.abort(why) });
    expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toBe(why);
    expect([calls, told]).toEqual([["s e-1"], ["winding up", "finished"]]);
  });

  it("waits until it knows which turn it is, never cancelling another's", async () => {
    const calls: string[] = [];
    const begin = gate();
    const { backend } = await attachTo(cancellable(calls, begin.promise));
    const stop = new AbortController();
    const running = failureOf(backend.run("s", { text: "x" }, noting({ signal: stop.signal }).handlers));
    stop.abort(why);
    begin.resolve();
    expect(await running).toBe(why);
    expect(calls).toEqual(["s e-1"]);
  });

  it("sends nothing when it was aborted before", async () => {
    const runTurn = vi.fn();
    const { backend } = await attachTo({ runTurn });
    const signal = AbortSignal.abort(why);
    expect(await failureOf(backend.run("s", { text: "x" }, noting({ signal }).handlers))).toBe(why);
    expect(runTurn).not.toHaveBeenCalled();
  });

  it.each(["onEvent", "onAccepted", "onLive"] as const)(
    "is what a throwing %s does, whose error it rejects with (CTR-20)",
    async (name) => {
      const calls: string[] = [];
      const cancelled = gate();
      const { backend } = await attachTo({
        runTurn: async function* () {
          yield message(1, accepted);
          yield message(2, say("hello"));
          await cancelled.promise;
          yield message(3, finished());
        },
        cancelTurn: ({ turnId }) => {
          calls.push(turnId);
          cancelled.resolve();
          return { cancelled: true };
        },
      });
      const throwing = vi.fn((): never => {
        throw why;
      });
      const { told, handlers } = noting({ [name]: throwing });
      expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toBe(why);
      expect([calls, throwing.mock.calls.length, told.includes("finished")]).toEqual([["e-1"], 1, false]);
    },
  );

  it("gives up a turn that can't be cancelled, and says so", async () => {
    const stop = new AbortController();
    const { backend, warnings } = await attachTo({
      runTurn: async function* (_request, { signal }) {
        yield message(1, accepted);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      cancelTurn: () => {
        throw gone();
      },
    });
    const { handlers } = noting({ signal: stop.signal, onAccepted: () => stop.abort(why) });
    expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toBe(why);
    expect(warnings).toEqual([expect.stringContaining("couldn't be cancelled")]);
  });

  it("isn't what closing the backend does: the turn goes on (CL-03, SVC-22)", async () => {
    const cancelTurn = vi.fn();
    const { backend } = await attachTo({
      runTurn: async function* (_request, { signal }) {
        yield message(1, accepted);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      cancelTurn,
    });
    const { handlers } = noting({ onAccepted: () => void backend.close() });
    expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toMatchObject({ name: "AbortError" });
    await backend.close();
    expect(cancelTurn).not.toHaveBeenCalled();
  });
});

describe("a turn whose stream is lost (SVC-20, CL-05)", () => {
  const begun = async function* () {
    yield message(1, accepted);
    yield message(2, say("one"));
    throw gone();
  };

  it.each([
    ["broke off", gone()],
    ["was ended by a service that stops", apiError("SHUTTING_DOWN", "bye", {})],
  ])("is watched from the last event when it %s, each event told once", async (_name, problem) => {
    const asked: unknown[] = [];
    const { backend, waits } = await attachTo({
      runTurn: async function* () {
        yield message(1, accepted);
        yield message(2, say("one"));
        throw problem;
      },
      watchSession: async function* ({ workspace, sessionId, after, turnId, follow }) {
        asked.push({ workspace, sessionId, after, turnId, follow });
        yield stateMessage();
        yield message(2, say("one")); // a service that sends too much
        yield message(3, say("two"));
        if (asked.length === 1) throw gone();
        yield message(4, finished());
      },
    });
    const { told, live, handlers } = noting();
    expect((await backend.run("s", { text: "x" }, handlers)).output).toBe("done");
    expect(told).toEqual(["accepted", "one", "two", "finished"]);
    expect(live.map((event) => event.n)).toEqual([1, 2, 3, 4]);
    const about = { workspace: "/ws", sessionId: "s", turnId: "e-1", follow: false };
    expect(asked).toEqual([
      { ...about, after: 2n },
      { ...about, after: 3n },
    ]);
    expect(waits).toEqual([1, 1]); // each loss begins to wait anew
  });

  it("is watched again when the service ends the stream before the turn", async () => {
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, accepted);
      },
      watchSession: async function* () {
        yield stateMessage();
        yield message(2, finished());
      },
    });
    expect((await backend.run("s", { text: "x" }, noting().handlers)).output).toBe("done");
  });

  it("isn't run again when it isn't known whether the prompt arrived", async () => {
    let runs = 0;
    const watchSession = vi.fn();
    const { backend, waits } = await attachTo({
      runTurn: () => {
        runs++;
        return failing(gone());
      },
      watchSession,
    });
    expect(await failureOf(backend.run("s", { text: "x" }, noting().handlers))).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
    });
    expect([runs, watchSession.mock.calls, waits]).toEqual([1, [], []]);
  });

  it("is given up after its attempts", async () => {
    const { backend, waits } = await attachTo({
      runTurn: begun,
      watchSession: () => failing(gone()),
    });
    expect(await failureOf(backend.run("s", { text: "x" }, noting().handlers))).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("socket hang up"),
    });
    expect(waits).toEqual([1, 2, 3]);
  });

  it.each([
    ["no turn", ""],
    ["another turn", "e-2"],
  ])("is told to have ended with the service when that knows %s afterwards", async (_name, turnId) => {
    const { backend } = await attachTo({
      runTurn: begun,
      watchSession: async function* () {
        yield stateMessage({ turnId, phase: "ended" });
        yield message(1, say("of another turn"), "e-2");
      },
    });
    const { told, handlers } = noting();
    expect(await failureOf(backend.run("s", { text: "x" }, handlers))).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringMatching(/restarted.*resumed/),
    });
    expect(told).toEqual(["accepted", "one"]);
  });

  it("goes on when it was suspended over a restart; its prompt stays open and is answered once (SVC-25)", async () => {
    const answered = gate();
    const back = gate();
    const asked: string[] = [];
    const approve = vi.fn(({ decision }: { decision: number }) => {
      answered.resolve();
      return { won: true, by: "me", decision };
    });
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("a") });
        throw gone();
      },
      watchSession: async function* () {
        yield stateMessage({ phase: "suspended", requests: [approval("a")] });
        back.resolve();
        await answered.promise;
        yield message(2, { type: "resolved", id: "a", outcome: "answered", by: "me", answer: "once" });
        yield message(3, finished());
      },
      approve,
    });
    backend.setUi({
      approve: async ({ detail }) => {
        asked.push(detail);
        await back.promise;
        return "once";
      },
      ask: () => Promise.reject(new Error("not asked")),
    });
    expect((await backend.run("s", { text: "x" }, noting().handlers)).output).toBe("done");
    expect([asked, approve.mock.calls.length]).toEqual([["a"], 1]);
  });

  it("asks what came and closes what went while the connection was away", async () => {
    const closed = gate();
    const answered = gate();
    const { backend } = await attachTo({
      runTurn: async function* () {
        yield message(1, { type: "request", request: approval("old") });
        throw gone();
      },
      watchSession: async function* () {
        yield stateMessage({ phase: "waiting", requests: [approval("new")] });
        await Promise.all([closed.promise, answered.promise]);
        yield message(5, finished());
      },
      approve: ({ requestId, decision }) => {
        if (requestId === "new") answered.resolve();
        return { won: true, by: "me", decision };
      },
    });
    backend.setUi({
      approve: async ({ detail }, signal) => {
        if (detail === "new") return "once";
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        closed.resolve();
        return "deny";
      },
      ask: () => Promise.reject(new Error("not asked")),
    });
    await backend.run("s", { text: "x" }, noting().handlers);
  });
});
