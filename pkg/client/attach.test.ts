// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, NO_USAGE } from "@blitz/api";
import {
  agentInfoToWire,
  checkpointToWire,
  errorInfoToWire,
  requestToWire,
  sessionInfoToWire,
  usageToWire,
} from "@blitz/wire";
import { describe, expect, it } from "vitest";
import { attachTransport } from "./index.js";
import { approval, attachTo, failureOf, transportTo } from "./testing/fake-service.js";

const session = {
  id: "s1",
  title: "One",
  agent: "blitz",
  workspace: "/ws",
  origin: "" as const,
  messageCount: 2,
  created: new Date(1),
  updated: new Date(2),
};
const lone = "x\ud800";

describe("attaching (CL-01)", () => {
  it("opens the workspace in the service, whatever its model is", async () => {
    const opened: string[] = [];
    const unavailable = apiError("MODEL_UNAVAILABLE", "no key", { model: "m" });
    const { backend } = await attachTo(
      {},
      {
        getModel: ({ workspace }) => {
          opened.push(workspace);
          return { name: "m", provider: "p", unavailable: errorInfoToWire(unavailable) };
        },
      },
    );
    expect([opened, backend.dir]).toEqual([["/ws"], "/ws"]);
    expect(await backend.modelError()).toStrictEqual(unavailable);
    expect(await backend.model()).toEqual({ name: "m", provider: "p" });
  });

  it("rejects with what the opening failed with", async () => {
    const busy = apiError("WORKSPACE_BUSY", "held", { workspace: "/ws", pid: "7" });
    const transport = transportTo(
      {},
      {
        getModel: () => {
          throw busy;
        },
      },
    );
    expect(await failureOf(attachTransport(transport, "/ws", () => undefined))).toStrictEqual(busy);
  });

  it("leaves the workspace open in the service when it is closed (CL-03)", async () => {
    const closed: string[] = [];
    const { backend } = await attachTo(
      {},
      {
        closeWorkspace: ({ workspace }) => {
          closed.push(workspace);
          return {};
        },
      },
    );
    await backend.close();
    await backend.close();
    expect(closed).toEqual([]);
  });
});

describe("operations of a workspace in the service", () => {
  it("are sent with the workspace and text any peer can decode (PRT-01, PRT-09)", async () => {
    const sent: object[] = [];
    const note =
      <Answer extends object>(answer: Answer) =>
      ({ $typeName: _name, ...request }: { $typeName: string }): Answer => {
        sent.push(request);
        return answer;
      };
    const { backend } = await attachTo(
      {
        listSessions: note({ sessions: [sessionInfoToWire(session)] }),
        getActiveSession: note({ session: sessionInfoToWire({ ...session, messages: [] }) }),
        newSession: note({ session: sessionInfoToWire(session) }),
        openSession: note({ session: sessionInfoToWire(session), resumed: true }),
        renameSession: note({}),
        deleteSession: note({}),
        cancelTurn: note({ cancelled: true }),
        steer: note({}),
        listRequests: note({ requests: [requestToWire(approval("a"))] }),
        getUsage: note({ usage: usageToWire({ ...NO_USAGE, calls: 3 }) }),
      },
      {
        listAgents: note({
          agents: [agentInfoToWire({ name: "a", displayName: "A", description: "", active: true, pinnedModel: "" })],
        }),
        setAgent: note({}),
        setModel: note({ activePin: "pin" }),
        getSettings: note({
          agency: "high",
          model: "m",
          provider: "p",
          agent: "a",
          locale: "en-US",
          permissionMode: "auto",
        }),
        setSetting: note({ key: "effort" }),
        setPermissionMode: note({ mode: "plan" }),
        listPermissionRules: note({ rules: [{ effect: "deny", rule: "shell(rm)", source: "session" }] }),
        addPermissionRule: note({ rule: { effect: "ask", rule: "shell(ls)", source: "session" } }),
        removePermissionRule: note({ rule: "shell(ls)", removed: true }),
        listCheckpoints: note({
          checkpoints: [checkpointToWire({ id: "c", label: "l", time: new Date(1), files: ["f"] })],
        }),
        undo: note({ label: "l", restored: ["f"] }),
        getDiff: note({ diff: "+x" }),
        getSandbox: note({ summary: ["one"] }),
        listMemoryFiles: note({ paths: ["/ws/AGENTS.md"] }),
      },
    );
    const full = { ...session };
    expect(await backend.listSessions(true)).toEqual([full]);
    expect(await backend.activeSession()).toEqual({ ...full, messages: [] });
    expect(await backend.newSession()).toEqual(full);
    expect(await backend.openSession(lone, true)).toEqual({ session: full, resumed: true });
    expect(await backend.renameSession(lone)).toBeUndefined();
    expect(await backend.deleteSession(lone)).toBeUndefined();
    expect(await backend.cancelTurn("s1")).toBe(true);
    expect(await backend.steer("s1", lone)).toBeUndefined();
    expect(await backend.pendingRequests()).toEqual([approval("a")]);
    expect(await backend.usage()).toEqual({ ...NO_USAGE, calls: 3 });
    expect((await backend.activeAgent()).name).toBe("a");
    expect(await backend.setAgent(lone)).toBeUndefined();
    expect(await backend.setModel(lone)).toEqual({ activePin: "pin" });
    expect(await backend.settings()).toEqual({
      agency: "high",
      model: "m",
      provider: "p",
      agent: "a",
      locale: "en-US",
      permissionMode: "auto",
      effort: "auto",
    });
    expect(await backend.set("effort", lone)).toBe("effort");
    expect(await backend.setPermissionMode(lone)).toBe("plan");
    expect(await backend.listPermissionRules()).toEqual([{ effect: "deny", rule: "shell(rm)", source: "session" }]);
    expect(await backend.addPermissionRule("ask", lone)).toEqual({
      effect: "ask",
      rule: "shell(ls)",
      source: "session",
    });
    expect(await backend.removePermissionRule(lone)).toEqual({ rule: "shell(ls)", removed: true });
    expect(await backend.listCheckpoints()).toEqual([{ id: "c", label: "l", time: new Date(1), files: ["f"] }]);
    expect(await backend.undo(true)).toEqual({ label: "l", restored: ["f"] });
    expect(await backend.sessionDiff()).toBe("+x");
    expect(await backend.sandboxSummary()).toEqual(["one"]);
    expect(await backend.memoryFiles()).toEqual(["/ws/AGENTS.md"]);
    const mended = "x\ufffd";
    const workspace = "/ws";
    expect(sent).toEqual([
      { workspace, all: true },
      { workspace },
      { workspace },
      { workspace, resume: mended, continueLatest: true },
      { workspace, title: mended },
      { workspace, sessionId: mended },
      { workspace, sessionId: "s1", turnId: "" },
      { workspace, sessionId: "s1", text: mended },
      { workspace, sessionId: "" },
      { workspace },
      { workspace },
      { workspace, name: mended },
      { workspace, ref: mended },
      { workspace },
      { workspace, key: "effort", value: mended },
      { workspace, mode: mended },
      { workspace },
      { workspace, effect: "ask", rule: mended },
      { workspace, rule: mended },
      { workspace },
      { workspace, force: true },
      { workspace },
      { workspace },
      { workspace },
    ]);
  });

  it("answer requests: a decision as one, keys and text as an answer, and say whose counts (SVC-26)", async () => {
    const { backend } = await attachTo({
      approve: ({ requestId, decision }) => ({
        won: requestId === "mine",
        by: "cli;a",
        decision: requestId === "mine" ? decision : 4,
      }),
      answer: ({ requestId, keys, text }) => ({ won: requestId === "mine", by: "cli;b", keys, text }),
    });
    expect(await backend.answerRequest("mine", "once")).toEqual({ won: true, by: "cli;a", answer: "once" });
    expect(await backend.answerRequest("late", "once")).toEqual({ won: false, by: "cli;a", answer: "always" });
    expect(await backend.answerRequest("mine", { keys: ["1", "2"] })).toEqual({
      won: true,
      by: "cli;b",
      answer: { keys: ["1", "2"] },
    });
    expect(await backend.answerRequest("mine", { text: lone })).toEqual({
      won: true,
      by: "cli;b",
      answer: { text: "x\ufffd" },
    });
  });

  it("bring an undo that stopped part-way, and no active session, as what they are", async () => {
    const stopped = apiError("UNDO_CONFLICT", "changed", { files: "a" });
    const { backend } = await attachTo(
      { getActiveSession: () => ({}) },
      { undo: () => ({ label: "l", restored: [], error: errorInfoToWire(stopped) }) },
    );
    expect(await backend.undo(false)).toStrictEqual({ label: "l", restored: [], error: stopped });
    expect(await backend.activeSession()).toBeUndefined();
  });

  it("are INTERNAL when the service leaves out what it must answer", async () => {
    const { backend } = await attachTo(
      { newSession: () => ({}), openSession: () => ({}) },
      { listAgents: () => ({}), addPermissionRule: () => ({}) },
    );
    const calls = [
      backend.newSession(),
      backend.openSession("", false),
      backend.activeAgent(),
      backend.addPermissionRule("ask", "x"),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ reason: "INTERNAL" });
  });

  it("make no background session: one made here would be the active one", async () => {
    const { backend } = await attachTo({ newSession: () => expect.unreachable() });
    expect(await failureOf(backend.newSession("background"))).toMatchObject({ reason: "INTERNAL" });
  });

  it("say that the service is older, or warn and give nothing where they can't (CL-07, CL-21)", async () => {
    const { backend, warnings } = await attachTo({});
    expect(await failureOf(backend.listSessions(false))).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringMatching(/older.*restart/),
    });
    expect([await backend.sandboxSummary(), await backend.memoryFiles()]).toEqual([[], []]);
    expect(warnings).toEqual([expect.stringContaining("sandbox"), expect.stringContaining("instruction files")]);
  });
});
