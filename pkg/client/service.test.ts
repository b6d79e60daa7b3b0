// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type BackgroundRun, type LiveEvent } from "@blitz/api";
import { backgroundRunToWire, dateToWire } from "@blitz/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createServiceClient, type ServiceClient } from "./index.js";
import {
  accepted,
  failureOf,
  finished,
  gone,
  message,
  say,
  type Sessions,
  stateMessage,
  transportTo,
  type Workspaces,
} from "./testing/fake-service.js";

const run: BackgroundRun = {
  id: "bg-1",
  workspace: "/ws",
  sessionId: "s",
  prompt: "go",
  state: "running",
  started: new Date(1),
  costUsd: 0.5,
  waiting: 1,
  error: "",
};
const client = (sessions: Sessions, workspaces: Workspaces = {}): ServiceClient =>
  createServiceClient(transportTo(sessions, workspaces), { retryDelaysMs: [1, 2], delay: async () => undefined });

describe("the service itself (SVC-06)", () => {
  it("tells what it is, its log and its workspaces, and stops", async () => {
    const asked: unknown[] = [];
    const service = client(
      {},
      {
        getServiceInfo: () => ({
          version: "1",
          executable: "/bin/blitzd",
          started: dateToWire(new Date(7)),
          pid: 9,
          replaced: true,
        }),
        listLogDays: () => ({ days: ["2026-01-02"], dir: "/logs" }),
        readLog: ({ day, minLevel, text, limit }) => {
          asked.push([day, minLevel, text, limit]);
          const entry = {
            time: dateToWire(new Date(3)),
            level: "INFO",
            message: "m",
            attrs: [{ key: "k", value: "v" }],
          };
          return { day: "2026-01-02", path: "/logs/x", entries: [entry], matched: 5 };
        },
        shutdown: () => {
          asked.push("shutdown");
          return {};
        },
        listWorkspaces: () => ({ workspaces: ["/a", "/b"] }),
        closeWorkspace: ({ workspace }) => {
          asked.push(workspace);
          throw apiError("TURN_RUNNING", "a turn runs", { workspace });
        },
      },
    );
    expect(await service.info()).toEqual({
      version: "1",
      executable: "/bin/blitzd",
      started: new Date(7),
      pid: 9,
      replaced: true,
    });
    expect(await service.logDays()).toEqual({ days: ["2026-01-02"], dir: "/logs" });
    expect(await service.readLog({})).toEqual({
      day: "2026-01-02",
      path: "/logs/x",
      matched: 5,
      entries: [{ time: new Date(3), level: "INFO", message: "m", attributes: [{ key: "k", value: "v" }] }],
    });
    await service.readLog({ day: "2026-01-02", minLevel: "warn", text: "x", limit: 3 });
    expect(await service.listWorkspaces()).toEqual(["/a", "/b"]);
    await service.shutdown();
    expect(await failureOf(service.closeWorkspace("/a"))).toMatchObject({ reason: "TURN_RUNNING" });
    expect(asked).toEqual([["", "", "", 0], ["2026-01-02", "warn", "x", 3], "shutdown", "/a"]);
  });

  it("is said to be older when it doesn't know a call, and keeps the words of a bad day", async () => {
    const service = client(
      {},
      {
        readLog: () => {
          throw new ConnectError("no such day", Code.InvalidArgument);
        },
      },
    );
    expect(await failureOf(service.info())).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("older"),
    });
    expect(await failureOf(service.readLog({ day: "x" }))).toMatchObject({
      reason: "INTERNAL",
      message: "no such day",
    });
  });
});

describe("background runs (SVC-24)", () => {
  it("are started, listed and stopped", async () => {
    const asked: unknown[] = [];
    const service = client({
      startBackground: ({ workspace, turn }) => {
        asked.push([workspace, turn?.text]);
        return { run: backgroundRunToWire(run) };
      },
      listBackground: () => ({ runs: [backgroundRunToWire(run)] }),
      stopBackground: ({ id }) => {
        if (id !== "bg-1") throw apiError("UNKNOWN_RUN", "no run", { id });
        return { run: backgroundRunToWire({ ...run, state: "stopped", ended: new Date(2) }) };
      },
    });
    expect(await service.startBackground("/ws", { text: "go" })).toEqual(run);
    expect(await service.listBackground()).toEqual([run]);
    expect(await service.stopBackground("bg-1")).toEqual({ ...run, state: "stopped", ended: new Date(2) });
    expect(await failureOf(service.stopBackground("bg-9"))).toMatchObject({
      reason: "UNKNOWN_RUN",
      metadata: { id: "bg-9" },
    });
    expect(asked).toEqual([["/ws", "go"]]);
    const broken = client({ startBackground: () => ({}) });
    expect(await failureOf(broken.startBackground("/ws", { text: "go" }))).toMatchObject({ reason: "INTERNAL" });
  });

  const seeing = () => {
    const seen: string[] = [];
    const onEvent = (event: LiveEvent): void => void seen.push(`${event.n} ${event.type}`);
    return { seen, handlers: { onState: () => void seen.push("state"), onEvent } };
  };

  it("are watched until now, or until they end", async () => {
    const follows: boolean[] = [];
    const service = client({
      watchBackground: async function* ({ follow }) {
        follows.push(follow);
        yield stateMessage();
        yield message(1, accepted);
        if (follow) yield message(2, finished());
      },
    });
    const now = seeing();
    await service.watchBackground("bg-1", false, now.handlers);
    const end = seeing();
    await service.watchBackground("bg-1", true, end.handlers);
    expect([follows, now.seen, end.seen]).toEqual([
      [false, true],
      ["state", "1 accepted"],
      ["state", "1 accepted", "2 finished"],
    ]);
  });

  it("go on being watched over a lost stream, from their session's last event", async () => {
    const asked: unknown[] = [];
    const service = client({
      watchBackground: async function* () {
        yield stateMessage();
        yield message(1, accepted);
        yield message(2, say("hi"));
        throw gone();
      },
      listBackground: () => ({ runs: [backgroundRunToWire(run)] }),
      watchSession: async function* ({ workspace, sessionId, turnId, after }) {
        asked.push([workspace, sessionId, turnId, after]);
        yield stateMessage();
        yield message(3, finished());
      },
    });
    const { seen, handlers } = seeing();
    await service.watchBackground("bg-1", true, handlers);
    expect([seen, asked]).toEqual([["state", "1 accepted", "2 turn", "3 finished"], [["/ws", "s", "e-1", 2n]]]);
  });

  it("are unknown when a restarted service has none of that ID", async () => {
    const service = client({
      watchBackground: async function* () {
        yield stateMessage();
        throw gone();
      },
      listBackground: () => ({}),
    });
    expect(await failureOf(service.watchBackground("bg-1", true, seeing().handlers))).toMatchObject({
      reason: "UNKNOWN_RUN",
    });
  });

  it("are let go of when the client is closed", async () => {
    const service = client({
      watchBackground: async function* (_request, { signal }) {
        yield stateMessage();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    await service.watchBackground("bg-1", true, { ...seeing().handlers, onState: () => service.close() });
  });
});
