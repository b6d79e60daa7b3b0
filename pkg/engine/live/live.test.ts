// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, TurnEvent, TurnState } from "@blitz/api";
import { describe, expect, it, vi } from "vitest";
import { createLiveTurns, type Happening, type LiveTurn } from "./index.js";

const START = { turnId: "e-1", by: "cli;one", started: new Date(5) };
const text = (value: string, more: Partial<Extract<TurnEvent, { type: "text" }>> = {}): Happening => ({
  type: "turn",
  event: { author: "blitz", type: "text", text: value, partial: true, repeat: false, thought: false, ...more },
});
const final = (value: string): Happening => text(value, { partial: false, repeat: true });
const result = (id: string, size: number): Happening => ({
  type: "turn",
  event: { author: "blitz", type: "tool_result", id, name: "read_file", result: { content: "x".repeat(size) } },
});
const usage = { calls: 0, input: 0, cached: 0, cacheWrite: 0, output: 0, lastPrompt: 0, costUsd: 0, priced: true };
const totals = { ...usage, searchQueries: 0, searchCostUsd: 0 };
const finished: Happening = {
  type: "finished",
  end: { output: "done", before: totals, after: totals, leftover: [] },
};

function watcher() {
  const states: TurnState[] = [];
  const events: LiveEvent[] = [];
  const stop = new AbortController();
  const handlers = {
    onState: (state: TurnState) => void states.push(state),
    onEvent: (event: LiveEvent) => void events.push(event),
    signal: stop.signal,
  };
  const seen = (): string[] =>
    events.map((event) => {
      if (event.type !== "turn") return `${event.n} ${event.type}`;
      if (event.event.type !== "text") return `${event.n} ${event.event.type}`;
      const { partial, repeat } = event.event;
      return `${event.n} ${event.event.text}${partial ? " …" : ""}${repeat ? " again" : ""}`;
    });
  return { states, events, handlers, stop, seen };
}

describe("a live turn", () => {
  it("is sent as it happens, and a late watcher gets the same events (SVC-22, PRT-23)", async () => {
    const live = createLiveTurns({ requests: () => [] });
    const turn = live.begin("s", START);
    const [early, late] = [watcher(), watcher()];
    const first = live.watch("s", { after: 0 }, early.handlers);
    turn.emit({ type: "accepted", by: "cli;one" });
    turn.emit({ type: "turn", event: { author: "blitz", type: "notice", text: "n", error: false } });
    const second = live.watch("s", { after: 1 }, late.handlers);
    turn.emit(finished);
    turn.end();
    await Promise.all([first, second]);
    expect(early.seen()).toEqual(["1 accepted", "2 notice", "3 finished"]);
    expect(late.seen()).toEqual(["2 notice", "3 finished"]);
    expect(late.states).toEqual([
      {
        turnId: "e-1",
        sessionId: "s",
        by: "cli;one",
        started: new Date(5),
        phase: "running",
        firstEvent: 1,
        lastEvent: 2,
        requests: [],
      },
    ]);
  });

  it("sends a late watcher each text once, whatever pieces it saw (PRT-24)", async () => {
    const live = createLiveTurns({ requests: () => [] });
    const turn = live.begin("s", START);
    for (const piece of ["One ", "two ", "three."]) turn.emit(text(piece));
    turn.emit(final("One two three."));
    turn.emit(finished);
    turn.end();
    const from = async (after: number): Promise<string[]> => {
      const one = watcher();
      await live.watch("s", { after }, one.handlers);
      return one.seen();
    };
    expect(await from(0)).toEqual(["4 One two three.", "5 finished"]);
    expect(await from(1)).toEqual(["3 two three. …", "4 One two three. again", "5 finished"]);
    expect(await from(3)).toEqual(["4 One two three. again", "5 finished"]);
    expect(await from(4)).toEqual(["5 finished"]);
    expect(await from(-1)).toEqual([]);
  });

  it("keeps at most so many bytes: the oldest results are cut first, then events go (PRT-24)", async () => {
    const live = createLiveTurns({ requests: () => [], maxBytes: 3_000 });
    const turn = live.begin("s", START);
    for (const id of ["a", "b", "c"]) turn.emit(result(id, 1_000));
    const one = watcher();
    await live.watch("s", { after: 0, follow: true }, { ...one.handlers, signal: AbortSignal.abort() });
    const watching = live.watch("s", { after: 0 }, one.handlers);
    expect(JSON.stringify(one.events[0])).toContain("left out here");
    expect(JSON.stringify(one.events[2])).toContain("x".repeat(1_000));
    turn.emit(text("y".repeat(10_000)));
    expect(live.state("s")).toMatchObject({ firstEvent: 4, lastEvent: 4 });
    one.stop.abort();
    await watching;
  });

  it("goes on counting where an earlier process stopped, and starts over for a watcher of another turn", async () => {
    const live = createLiveTurns({ requests: () => [] });
    const turn = live.begin("s", { ...START, from: 7 });
    turn.emit({ type: "accepted", by: "x" });
    const [same, other] = [watcher(), watcher()];
    const watching = [
      live.watch("s", { after: 8, turnId: "e-1" }, same.handlers),
      live.watch("s", { after: 8, turnId: "e-0" }, other.handlers),
    ];
    turn.emit(finished);
    turn.end();
    await Promise.all(watching);
    expect([same.seen(), other.seen()]).toEqual([["9 finished"], ["8 accepted", "9 finished"]]);
  });

  it("is followed into the session's next turn when that is wanted", async () => {
    const live = createLiveTurns({ requests: () => [] });
    const one = watcher();
    const watching = live.watch("s", { after: 0, follow: true }, one.handlers);
    for (const turnId of ["e-1", "e-2"]) {
      const turn = live.begin("s", { ...START, turnId });
      turn.emit(finished);
      turn.end();
    }
    one.stop.abort();
    await watching;
    expect(one.events.map((event) => event.turnId)).toEqual(["e-1", "e-2"]);
    expect(one.states.map((state) => state.phase)).toEqual(["ended"]);
  });

  it("isn't ended by a watcher that throws: only its own watch fails", async () => {
    const live = createLiveTurns({ requests: () => [] });
    const turn: LiveTurn = live.begin("s", START);
    const good = watcher();
    const failing = live.watch("s", { after: 0 }, { onState: () => undefined, onEvent: () => expect.fail("mine") });
    const watching = live.watch("s", { after: 0 }, good.handlers);
    turn.emit({ type: "accepted", by: "x" });
    turn.emit(finished);
    turn.end();
    await expect(failing).rejects.toThrow("mine");
    await watching;
    expect(good.seen()).toEqual(["1 accepted", "2 finished"]);
  });

  it("is forgotten some time after its end, and every watch ends on closing", async () => {
    vi.useFakeTimers();
    try {
      const live = createLiveTurns({ requests: () => [] });
      live.begin("s", START).end();
      expect(live.state("s").turnId).toBe("e-1");
      vi.advanceTimersByTime(10 * 60_000);
      expect(live.state("s")).toMatchObject({ turnId: "", phase: "ended" });
      const one = watcher();
      const watching = live.watch("s", { after: 0, follow: true }, one.handlers);
      live.close();
      await watching;
    } finally {
      vi.useRealTimers();
    }
  });
});
