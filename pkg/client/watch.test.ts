// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type LiveEvent, type TurnState, type WatchHandlers } from "@blitz/api";
import { describe, expect, it } from "vitest";
import {
  accepted,
  attachTo,
  failing,
  failureOf,
  finished,
  gone,
  message,
  say,
  stateMessage,
} from "./testing/fake-service.js";

function watcher(more: Partial<WatchHandlers> = {}) {
  const states: TurnState[] = [];
  const events: LiveEvent[] = [];
  const handlers: WatchHandlers = {
    onState: (state) => void states.push(state),
    onEvent: (event) => void events.push(event),
    ...more,
  };
  const seen = () => events.map(({ turnId, n, type }) => `${turnId} ${n} ${type}`);
  return { states, events, handlers, seen };
}

describe("watching a session (CL-22, PRT-23)", () => {
  it("tells the state once, then the events, and ends with the turn", async () => {
    const asked: unknown[] = [];
    const { backend } = await attachTo({
      watchSession: async function* ({ workspace, sessionId, after, turnId, follow }) {
        asked.push([workspace, sessionId, after, turnId, follow]);
        yield stateMessage({ lastEvent: 1, started: new Date(5) });
        yield message(2, say("two"));
        yield message(3, finished());
      },
    });
    const { states, seen, handlers } = watcher();
    await backend.watchSession("s", { after: 1, turnId: "e-1" }, handlers);
    expect(asked).toEqual([["/ws", "s", 1n, "e-1", false]]);
    expect(states).toMatchObject([{ turnId: "e-1", phase: "running", started: new Date(5), lastEvent: 1 }]);
    expect(seen()).toEqual(["e-1 2 turn", "e-1 3 finished"]);
  });

  it("ends at once where no turn is live", async () => {
    const { backend, waits } = await attachTo({
      watchSession: async function* () {
        yield stateMessage({ turnId: "", phase: "ended" });
      },
    });
    const { states, handlers } = watcher();
    await backend.watchSession("s", { after: 0 }, handlers);
    expect([states.map((state) => state.phase), waits]).toEqual([["ended"], []]);
  });

  it("rejects with the service's reason", async () => {
    const error = apiError("SESSION_NOT_FOUND", "no session", { id: "s" });
    const { backend } = await attachTo({
      watchSession: () => failing(error),
    });
    expect(await failureOf(backend.watchSession("s", { after: 0 }, watcher().handlers))).toStrictEqual(error);
  });

  it.each(["onState", "onEvent"] as const)("ends with the error of a throwing %s", async (name) => {
    const mine = new Error("mine");
    const { backend } = await attachTo({
      watchSession: async function* (_request, { signal }) {
        yield stateMessage();
        yield message(1, accepted);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const { handlers } = watcher({
      [name]: () => {
        throw mine;
      },
    });
    expect(await failureOf(backend.watchSession("s", { after: 0 }, handlers))).toBe(mine);
  });

  it("ends quietly on abort, before it begins too", async () => {
    const { backend } = await attachTo({
      watchSession: async function* (_request, { signal }) {
        yield stateMessage();
        yield message(1, accepted);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const stop = new AbortController();
    const { seen, handlers } = watcher({ signal: stop.signal });
    const onEvent = (event: LiveEvent): void => {
      handlers.onEvent(event);
      stop.abort();
    };
    await backend.watchSession("s", { after: 0, follow: true }, { ...handlers, onEvent });
    expect(seen()).toEqual(["e-1 1 accepted"]);
    await backend.watchSession("s", { after: 0 }, { ...handlers, onEvent: () => expect.unreachable() });
  });

  it("ends quietly when the backend is closed", async () => {
    const { backend } = await attachTo({
      watchSession: async function* (_request, { signal }) {
        yield stateMessage();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    await backend.watchSession("s", { after: 0 }, watcher({ onState: () => void backend.close() }).handlers);
  });
});

describe("a watch whose stream is lost", () => {
  it("goes on from the last event, and tells neither state nor events twice", async () => {
    const asked: unknown[] = [];
    const { backend } = await attachTo({
      watchSession: async function* ({ after, turnId }) {
        asked.push([turnId, after]);
        if (asked.length === 2) throw gone();
        yield stateMessage({ lastEvent: 7 });
        yield message(asked.length === 1 ? 8 : 7, say("eight"));
        if (asked.length === 1) throw gone();
        yield message(9, finished());
      },
    });
    const { states, seen, handlers } = watcher();
    await backend.watchSession("s", { after: -1 }, handlers);
    expect(asked).toEqual([
      ["", -1n],
      ["e-1", 8n],
      ["e-1", 8n],
    ]);
    expect([states.length, seen()]).toEqual([1, ["e-1 8 turn", "e-1 9 finished"]]);
  });

  it("asks for what came since when only new events were wanted and none came yet", async () => {
    const asked: bigint[] = [];
    const { backend } = await attachTo({
      watchSession: async function* ({ after }) {
        asked.push(after);
        yield stateMessage({ lastEvent: 7 });
        if (asked.length === 1) throw gone();
        yield message(8, finished());
      },
    });
    await backend.watchSession("s", { after: -1 }, watcher().handlers);
    expect(asked).toEqual([-1n, 7n]);
  });

  it("is given up after its attempts", async () => {
    const { backend, waits } = await attachTo({
      watchSession: () => failing(gone()),
    });
    const failure = await failureOf(backend.watchSession("s", { after: 0, follow: true }, watcher().handlers));
    expect(failure).toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    expect(waits).toEqual([1, 2, 3]);
  });

  it("outlives any number of restarts when it follows, not a service that ends it at once", async () => {
    let streams = 0;
    const { backend, waits } = await attachTo({
      watchSession: async function* () {
        yield stateMessage({ turnId: "", phase: "ended" });
        if (++streams <= 10) throw gone();
      },
    });
    const failure = await failureOf(backend.watchSession("s", { after: -1, follow: true }, watcher().handlers));
    expect(failure).toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    expect(waits).toEqual([...Array.from({ length: 10 }, () => 1), 2, 3]);
  });

  it("is given up by one turn's watcher when every stream breaks before an event", async () => {
    const { backend, waits } = await attachTo({
      watchSession: async function* () {
        yield stateMessage();
        throw gone();
      },
    });
    const failure = await failureOf(backend.watchSession("s", { after: 0 }, watcher().handlers));
    expect(failure).toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    expect(waits).toEqual([1, 2, 3]);
  });

  it("fails when the service came back without the turn", async () => {
    let streams = 0;
    const { backend } = await attachTo({
      watchSession: async function* () {
        if (++streams === 1) {
          yield stateMessage();
          yield message(1, accepted);
          throw gone();
        }
        yield stateMessage({ turnId: "", phase: "ended" });
      },
    });
    expect(await failureOf(backend.watchSession("s", { after: 0 }, watcher().handlers))).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("restarted"),
    });
  });

  it("goes on with later turns when it follows, and says that the one shown ended", async () => {
    const asked: unknown[] = [];
    const { backend, warnings } = await attachTo({
      watchSession: async function* ({ after, turnId, follow }, { signal }) {
        asked.push([turnId, after, follow]);
        if (asked.length === 1) {
          yield stateMessage();
          yield message(1, accepted);
          yield message(2, say("two"));
          throw apiError("SHUTTING_DOWN", "bye", {});
        }
        if (asked.length === 2) {
          yield stateMessage({ turnId: "", phase: "ended" });
          yield message(1, accepted, "e-2");
          yield message(2, finished(), "e-2");
          return; // the service stops in peace
        }
        yield stateMessage({ turnId: "e-2", phase: "ended", lastEvent: 2 });
        yield message(1, accepted, "e-3");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const stop = new AbortController();
    const { states, seen, handlers } = watcher({ signal: stop.signal });
    const onEvent = (event: LiveEvent): void => {
      handlers.onEvent(event);
      if (event.turnId === "e-3") stop.abort();
    };
    await backend.watchSession("s", { after: 0, follow: true }, { ...handlers, onEvent });
    expect(asked).toEqual([
      ["", 0n, true],
      ["e-1", 2n, true],
      ["e-2", 2n, true],
    ]);
    expect(seen()).toEqual(["e-1 1 accepted", "e-1 2 turn", "e-2 1 accepted", "e-2 2 finished", "e-3 1 accepted"]);
    expect([states.length, warnings]).toEqual([1, [expect.stringContaining("restarted")]]);
  });
});
