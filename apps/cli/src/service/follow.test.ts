// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { NO_USAGE, type Request, type TurnState, type WatchHandlers } from "@blitz/api";
import { EN_US, loadMessages } from "@blitz/i18n";
import { describe, expect, it } from "vitest";
import type { Output } from "../output/output.js";
import type { Program } from "../program.js";
import { follow, type FollowDeps } from "./follow.js";

const messages = await loadMessages("en-US", [EN_US]);
const turn = { turnId: "t" };
const result = { output: "", before: NO_USAGE, after: NO_USAGE, leftover: [] };
const request = (id: string): Request => ({
  ...turn,
  id,
  sessionId: "session-x",
  created: new Date(0),
  question: { question: "?", options: [] },
});
const stateOf = (more: Partial<TurnState>): TurnState => ({
  ...turn,
  sessionId: "session-x",
  by: "cli;a",
  phase: "waiting",
  firstEvent: 1,
  lastEvent: 3,
  requests: [],
  ...more,
});

/** A follower at a terminal that notes in order what it is shown, asked and told. */
function setUp(play: (handlers: WatchHandlers) => void) {
  const seen: string[] = [];
  const leave = new AbortController();
  const open = new Set<string>();
  const note: Output = {
    isTty: false,
    colour: false,
    closed: () => false,
    flush: async () => undefined,
    write: (text) => void seen.push(text),
  };
  const deps: FollowDeps = {
    program: { stderr: note, stdout: note, signal: new AbortController().signal } as unknown as Program,
    messages,
    backend: {
      answerRequest: () => Promise.reject(new Error("not asked for")),
      watchSession: async (_id, _from, handlers) => {
        play(handlers);
      },
    },
    view: {
      state: ({ phase }) => void seen.push(`state ${phase}`),
      event: (event) => void seen.push(`event ${event.n}`),
      end: async ({ exitCode }) => void seen.push(`end ${exitCode}`),
    },
    terminal: {
      left: leave.signal,
      say: (text) => void seen.push(`say ${text}`),
      prompts: {
        ask: ({ id }) => {
          if (!open.has(id)) seen.push(`ask ${id}`);
          open.add(id);
        },
        withdraw: (id) => open.delete(id),
        isAsked: (id) => open.has(id),
        close: async () => void seen.push("close"),
      },
    },
  };
  return { deps, seen, leave };
}

const followed = { name: "bg-1", sessionId: "session-x" };
const finished = { ...turn, n: 9, type: "finished", end: result } as const;

describe("following at a terminal (CL-22)", () => {
  it("asks for what still waits after the events so far, then for what comes", async () => {
    const { deps, seen } = setUp(({ onState, onEvent }) => {
      onState(stateOf({ requests: [request("b")] }));
      onEvent({ ...turn, n: 1, type: "request", request: request("a") });
      onEvent({ ...turn, n: 2, type: "resolved", id: "a", outcome: "answered", by: "cli;b", answer: { text: "x" } });
      onEvent({ ...turn, n: 3, type: "request", request: request("b") });
      onEvent({ ...turn, n: 4, type: "request", request: request("c") });
      onEvent(finished);
    });
    expect(await follow(deps, followed)).toBe(0);
    expect(seen).toEqual([
      "state waiting",
      "event 1",
      "event 2",
      "event 3",
      "ask b",
      "ask c",
      "event 4",
      "close",
      "end 0",
    ]);
  });

  it("asks at once for what waits since before a restart, of which no event is kept", async () => {
    const { deps, seen } = setUp(({ onState }) =>
      onState(stateOf({ phase: "suspended", firstEvent: 0, requests: [request("a")] })),
    );
    await follow(deps, followed);
    expect(seen.slice(0, 2)).toEqual(["state suspended", "ask a"]);
  });

  it("closes a prompt that was answered elsewhere and says by whom", async () => {
    const { deps, seen } = setUp(({ onState, onEvent }) => {
      onState(stateOf({ lastEvent: 0, firstEvent: 0 }));
      onEvent({ ...turn, n: 1, type: "request", request: request("a") });
      onEvent({ ...turn, n: 2, type: "resolved", id: "a", outcome: "answered", by: "cli;b", answer: { text: "x" } });
      onEvent(finished);
    });
    await follow(deps, followed);
    expect(seen).toContain("say answered by cli;b: x");
  });

  it("leaving exits with 130 and says that the turn goes on", async () => {
    const { deps, seen, leave } = setUp(({ onState }) => {
      onState(stateOf({}));
      leave.abort();
    });
    expect(await follow(deps, followed)).toBe(130);
    expect(seen.at(-1)).toBe("Left bg-1: it goes on (blitz attach bg-1).\n");
  });
});
