// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason, type JsonObject, type LiveEvent, type Request, type Turn, type TurnState } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Part } from "../history/index.js";
import { createScriptedModel, type ScriptedAnswer } from "../models/testing/index.js";
import { type OpenOptions, openWorkspace, type Workspace } from "./index.js";

let base: string;
let opened: Workspace[];
const warnings: string[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-hosted-")));
  for (const name of ["home/.blitz", "ws"]) mkdirSync(path.join(base, name), { recursive: true });
  opened = [];
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.map((workspace) => workspace.close()));
  rmSync(base, { recursive: true, force: true });
});

const call = (id: string, name: string, args: JsonObject = {}): Part => ({ type: "toolCall", id, name, args });
const create = (id: string, file: string): Part => call(id, "create_file", { path: file, content: "x\n" });
const sessionsDir = (): string => path.join(base, "home", ".blitz", "sessions");
const turnFiles = (): string[] => readdirSync(sessionsDir()).filter((name) => name.includes(".turn.json"));
const has = (name: string): boolean => existsSync(path.join(base, "ws", name));

/** A workspace as the service hosts it; a second call in the same home is the next process. */
async function host(answers: readonly ScriptedAnswer[], more: Partial<OpenOptions> & { toml?: string } = {}) {
  const home = path.join(base, "home");
  writeFileSync(path.join(home, ".blitz", ".env.toml"), more.toml ?? "");
  const { config } = await loadConfig({ dir: path.join(home, ".blitz"), home, env: {} });
  const model = createScriptedModel(answers);
  const workspace = await openWorkspace({
    dir: path.join(base, "ws"),
    home,
    config,
    env: { PATH: process.env["PATH"] },
    model,
    warn: (text) => warnings.push(text),
    isHosted: true,
    ...more,
  });
  opened.push(workspace);
  const live: LiveEvent[] = [];
  /** Starts a turn the way the service does: nobody of this process answers. */
  const start = async (text: string, turn: Partial<Turn> = {}, id?: string) => {
    const sessionId = id ?? (await workspace.newSession()).id;
    const handlers = { onEvent: () => undefined, onLive: (event: LiveEvent) => void live.push(event), by: "cli;one" };
    const done = workspace.run(sessionId, { text, ...turn }, handlers).catch((error: unknown) => error);
    return { sessionId, done };
  };
  const requests = async (count: number): Promise<readonly Request[]> => {
    await expect.poll(async () => (await workspace.pendingRequests()).length).toBe(count);
    return await workspace.pendingRequests();
  };
  return { workspace, model, start, requests, live };
}

/** Watches a session's turn to its end; `watching` resolves when it has begun to. */
async function watch(workspace: Workspace, sessionId: string, watching: () => void = () => undefined) {
  const states: TurnState[] = [];
  const events: LiveEvent[] = [];
  await workspace.watchSession(
    sessionId,
    { after: 0 },
    {
      onState: (state) => {
        states.push(state);
        watching();
      },
      onEvent: (event) => void events.push(event),
    },
  );
  return { state: states[0], events, types: events.map((event) => event.type), last: events.at(-1) };
}

const resultsOf = (model: { readonly requests: readonly { readonly messages: unknown }[] }): string =>
  JSON.stringify(model.requests.at(-1)?.messages);

describe("a turn that waits in a hosted workspace", () => {
  it("is answered by another client than the one that sent it; both see who (BEY-40, SVC-26)", async () => {
    const { workspace, start, requests, live } = await host([{ parts: [create("a", "a.txt")] }, "Done."]);
    const { sessionId, done } = await start("go");
    const [request] = await requests(1);
    const seen = Promise.withResolvers<void>();
    const watching = watch(workspace, sessionId, seen.resolve);
    await seen.promise;
    expect(await workspace.answerRequest(request?.id ?? "", "once", "desktop;x")).toMatchObject({ won: true });
    const { state, events } = await watching;
    expect(await done).toMatchObject({ output: "Done." });
    expect(state).toMatchObject({ phase: "waiting", by: "cli;one", requests: [{ id: request?.id }] });
    expect(events).toEqual(live);
    expect(live.map((event) => event.type)).toEqual([
      "accepted",
      "turn",
      "request",
      "resolved",
      "turn",
      "turn",
      "turn",
      "finished",
    ]);
    expect(live.find((event) => event.type === "resolved")).toMatchObject({ by: "desktop;x", answer: "once" });
    expect(live.map((event) => event.n)).toEqual(live.map((_event, at) => at + 1));
    const audit = path.join(base, "home", ".blitz", "audit");
    const day = readdirSync(audit).find((name) => name.endsWith(".jsonl")) ?? "";
    expect(readFileSync(path.join(audit, day), "utf8")).toContain('"by":"desktop;x"');
    expect([has("a.txt"), turnFiles()]).toEqual([true, []]);
  });

  it("goes on after a restart when it is answered then: the call runs once, what finished isn't run again (SVC-25, ENG-104)", async () => {
    const first = await host([{ parts: [call("r", "read_file", { path: "there.txt" }), create("a", "a.txt")] }]);
    writeFileSync(path.join(base, "ws", "there.txt"), "before the restart\n");
    const { sessionId } = await first.start("go", { maxTurns: 5 });
    const [before] = await first.requests(1);
    await first.workspace.close();
    expect([turnFiles(), has("a.txt")]).toEqual([[`${sessionId}.turn.json`], false]);
    writeFileSync(path.join(base, "ws", "there.txt"), "after the restart\n");

    const second = await host(["Done."]);
    expect(await second.requests(1)).toEqual([before]);
    const watching = watch(second.workspace, sessionId);
    await second.workspace.answerRequest(before?.id ?? "", "once", "cli;two");
    const { state, last, types } = await watching;
    expect(state).toMatchObject({ phase: "suspended", by: "cli;one", turnId: before?.turnId });
    expect(types.slice(0, 1)).toEqual(["resolved"]);
    expect(last).toMatchObject({ type: "finished", end: { output: "Done." } });
    expect([has("a.txt"), turnFiles()]).toEqual([true, []]);
    expect(resultsOf(second.model)).toContain("before the restart");
    expect(second.model.requests).toHaveLength(1);
    const [session] = await second.workspace.listSessions(false);
    expect(session).toMatchObject({ id: sessionId, messageCount: 2 });
    expect((await second.workspace.undo(false)).restored).toEqual(["a.txt"]);
  });

  it("keeps its events' numbers across the restart, so a client that comes back gets the rest once (SVC-20)", async () => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    const [request] = await first.requests(1);
    const seen = first.live.at(-1)?.n ?? 0;
    await first.workspace.close();
    const second = await host(["Done."]);
    const events: LiveEvent[] = [];
    const from = { after: seen, turnId: request?.turnId ?? "" };
    const watching = second.workspace.watchSession(sessionId, from, {
      onState: () => undefined,
      onEvent: (event) => void events.push(event),
    });
    await second.workspace.answerRequest(request?.id ?? "", "deny", "x");
    await watching;
    expect(events[0]?.n).toBe(seen); // `seen` counts the request itself; its file was written before it was shown
    expect(events.at(-1)).toMatchObject({ type: "finished" });
  });

  it("never runs again what was running when the process died (ENG-104)", async () => {
    const first = await host([{ parts: [create("a", "a.txt"), create("b", "b.txt")] }]);
    const { sessionId } = await first.start("go");
    const [request] = await first.requests(1);
    await first.workspace.close();
    // As if the first call had begun its work in the moment of the crash.
    const file = path.join(sessionsDir(), `${sessionId}.turn.json`);
    const saved = JSON.parse(readFileSync(file, "utf8")) as { calls: { call: { id: string }; state: string }[] };
    const other = saved.calls.find((one) => one.call.id !== (request && "approval" in request ? "a" : ""));
    expect(other).toMatchObject({ call: { id: "b" } });
    saved.calls = saved.calls.map((one) => (one === other ? { ...one, state: "running" } : one));
    writeFileSync(file, JSON.stringify(saved));

    const second = await host(["Done."]);
    const [again] = await second.requests(1);
    const watching = watch(second.workspace, sessionId);
    await second.workspace.answerRequest(again?.id ?? "", "once", "x");
    await watching;
    expect([has("a.txt"), has("b.txt")]).toEqual([true, false]);
    expect(resultsOf(second.model)).toContain("the tool's outcome is unknown");
  });

  it("is cut when it ran without waiting: no request is listed, its session goes on (SVC-25)", async () => {
    const gate = Promise.withResolvers<void>();
    const first = await host([{ parts: [{ type: "text", text: "x" }], delay: gate.promise }]);
    const { sessionId, done } = await first.start("go");
    await expect.poll(() => first.model.requests.length).toBe(1);
    await first.workspace.close();
    expect(isReason(await done, "SHUTTING_DOWN")).toBe(true);
    expect(first.live.at(-1)).toMatchObject({ type: "finished", end: { error: { reason: "SHUTTING_DOWN" } } });
    const second = await host(["Again."]);
    expect(await second.workspace.pendingRequests()).toEqual([]);
    expect(await (await second.start("go on", {}, sessionId)).done).toMatchObject({ output: "Again." });
  });

  it.each([
    ["a new prompt in its session", "prompt"],
    ["CancelTurn", "cancel"],
  ])("ends by %s: the call is told it never ran, the log is whole (SVC-25)", async (_name, how) => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    const [request] = await first.requests(1);
    await first.workspace.close();
    const second = await host(["Fine."]);
    const watching = watch(second.workspace, sessionId);
    if (how === "cancel") expect(await second.workspace.cancelTurn(sessionId)).toBe(true);
    const { done } = await second.start("something else", {}, sessionId);
    expect((await watching).last).toMatchObject({ type: "finished", end: { error: { reason: "CANCELLED" } } });
    expect(await done).toMatchObject({ output: "Fine." });
    expect(JSON.stringify(second.live).includes("has ended, because a new prompt was sent")).toBe(how === "prompt");
    expect(resultsOf(second.model)).toContain("not run: ");
    expect([has("a.txt"), turnFiles(), await second.workspace.pendingRequests()]).toEqual([false, [], []]);
    await expect(second.workspace.answerRequest(request?.id ?? "", "once")).rejects.toMatchObject({
      reason: "UNKNOWN_REQUEST",
    });
  });

  it.each([
    ["edits the file when it is as it was", "one\n", [], "two\n"],
    ["asks anew when the edit would be another one now", "one, and more\n", ["two, and more"], "two, and more\n"],
  ])("%s (FS-31, ENG-104)", async (_name, now, shownAnew, after) => {
    const edit = call("e", "replace_in_file", { path: "a.txt", target_content: "one", replacement_content: "two" });
    const file = path.join(base, "ws", "a.txt");
    writeFileSync(file, "one\n");
    const first = await host([{ parts: [call("r", "read_file", { path: "a.txt" })] }, { parts: [edit] }]);
    const { sessionId } = await first.start("go");
    const [old] = await first.requests(1);
    await first.workspace.close();
    writeFileSync(file, now);
    const second = await host(["Done."]);
    const watching = watch(second.workspace, sessionId);
    await second.workspace.answerRequest(old?.id ?? "", "once");
    const diffs: string[] = [];
    await expect
      .poll(async () => {
        for (const request of await second.workspace.pendingRequests()) {
          if (!("approval" in request) || request.id === old?.id) continue;
          diffs.push(request.approval.diff ?? "");
          await second.workspace.answerRequest(request.id, "once");
        }
        return second.model.requests.length;
      })
      .toBe(1);
    await watching;
    expect(diffs).toEqual(shownAnew.map((text) => expect.stringContaining(text) as string));
    expect(readFileSync(file, "utf8")).toBe(after);
  });

  it("keeps what it was told while it waited, before a restart and after it (WS-27)", async () => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    const [request] = await first.requests(1);
    await first.workspace.steer(sessionId, "said before");
    await first.workspace.close();
    const second = await host(["Done."]);
    await second.workspace.steer(sessionId, "said after");
    await second.workspace.close();
    const third = await host(["Done."]);
    const watching = watch(third.workspace, sessionId);
    await third.workspace.answerRequest(request?.id ?? "", "once");
    expect((await watching).last).toMatchObject({ type: "finished", end: { leftover: [] } });
    expect(resultsOf(third.model)).toContain('"message_from_user":["said before","said after"]');
  });

  it("ends by a prompt of a process that doesn't host it, from its file alone (SVC-25)", async () => {
    const first = await host([{ parts: [call("r", "read_file", { path: "x" }), create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    await first.requests(1);
    await first.workspace.close();
    const local = await host(["Fine."], { isHosted: false });
    expect(await local.workspace.pendingRequests()).toEqual([]);
    expect(await (await local.start("something else", {}, sessionId)).done).toMatchObject({ output: "Fine." });
    expect([turnFiles(), has("a.txt")]).toEqual([[], false]);
    expect(resultsOf(local.model)).toContain("not run: ");
    expect(JSON.stringify(local.live)).toContain("has ended, because a new prompt was sent");
  });

  it("keeps its session from being deleted under it (SES-23)", async () => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    await first.requests(1);
    await first.workspace.close();
    const second = await host([]);
    await expect(second.workspace.deleteSession(sessionId)).rejects.toMatchObject({ reason: "SESSION_OPEN" });
    await second.workspace.cancelTurn(sessionId);
    await second.workspace.deleteSession(sessionId);
    expect(readdirSync(sessionsDir()).filter((name) => name.startsWith(sessionId))).toEqual([]);
  });

  it("that nobody could go on with ends with the reason, not in silence (SVC-25)", async () => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    const [request] = await first.requests(1);
    await first.workspace.close();
    const file = path.join(sessionsDir(), `${sessionId}.turn.json`);
    writeFileSync(file, readFileSync(file, "utf8").replace('"agent":"blitz"', '"agent":"gone"'));
    const second = await host(["never"]);
    const watching = watch(second.workspace, sessionId);
    await second.workspace.answerRequest(request?.id ?? "", "once");
    expect((await watching).last).toMatchObject({ type: "finished", end: { error: { reason: "UNKNOWN_AGENT" } } });
    expect([has("a.txt"), turnFiles(), second.model.requests]).toEqual([false, [], []]);
  });

  it("that can't be read is kept aside, and said (SES-26)", async () => {
    const first = await host([{ parts: [create("a", "a.txt")] }]);
    const { sessionId } = await first.start("go");
    await first.requests(1);
    await first.workspace.close();
    writeFileSync(path.join(sessionsDir(), `${sessionId}.turn.json`), "{half");
    const second = await host([]);
    expect(turnFiles()).toEqual([`${sessionId}.turn.json.bad`]);
    expect(warnings).toEqual([expect.stringContaining(sessionId)]);
    expect(await second.workspace.pendingRequests()).toEqual([]);
  });

  it("expires as denied, and the agent is told that nobody answered (SVC-26)", async () => {
    const { start, model } = await host([{ parts: [create("a", "a.txt")] }, "Too bad."], {
      toml: '[service]\nrequest_expiry = "1ms"',
    });
    expect(await (await start("go")).done).toMatchObject({ output: "Too bad." });
    expect(resultsOf(model)).toContain("nobody answered in time");
    expect(has("a.txt")).toBe(false);
  });

  it("never waits when it was sent so that nobody is asked (SVC-23)", async () => {
    const { start, model } = await host([{ parts: [create("a", "a.txt")] }, "Refused."]);
    expect(await (await start("go", { onRequest: "deny" })).done).toMatchObject({ output: "Refused." });
    expect(resultsOf(model)).toContain("nobody can be asked here");
  });

  it("doesn't hold up another session's, and an answer for good settles what it covers there too (APR-51)", async () => {
    const { workspace, start, requests } = await host([
      { parts: [create("a", "a.txt")] },
      { parts: [create("b", "b.txt")] },
      "One.",
      "Two.",
    ]);
    const one = await start("one");
    const [first] = await requests(1);
    const two = await start("two");
    await requests(2);
    expect(workspace.busy()).toBe(true);
    await workspace.answerRequest(first?.id ?? "", "session", "x");
    expect([await one.done, await two.done]).toMatchObject([
      { output: expect.any(String) },
      { output: expect.any(String) },
    ]);
    expect([has("a.txt"), has("b.txt"), workspace.busy()]).toEqual([true, true, false]);
    expect(await workspace.pendingRequests()).toEqual([]);
  });
});

describe("a question that waits", () => {
  it("is answered after a restart, and a plan review still knows that it planned (APR-41)", async () => {
    const first = await host([{ parts: [call("p", "exit_plan_mode", { plan: "1. do it" })] }], {
      permissionMode: "plan",
    });
    const { sessionId } = await first.start("plan it");
    const [request] = await first.requests(1);
    expect(request).toMatchObject({ question: { plan: "1. do it", options: [{ key: "execute" }, {}, {}] } });
    await first.workspace.close();
    const second = await host(["Carried out."]);
    await second.requests(1);
    const watching = watch(second.workspace, sessionId);
    await second.workspace.answerRequest(request?.id ?? "", { keys: ["execute"] }, "x");
    expect((await watching).last).toMatchObject({ end: { output: "Carried out." } });
    expect(readdirSync(path.join(base, "ws", ".blitz", "plans"))).toHaveLength(1);
  });
});

describe("background sessions", () => {
  it("run beside the active one and never become it (SVC-24)", async () => {
    const { workspace, start } = await host(["Hello."]);
    const active = await workspace.newSession();
    const background = await workspace.newSession("background");
    expect(await (await start("go", {}, background.id)).done).toMatchObject({ output: "Hello." });
    expect((await workspace.activeSession())?.id).toBe(active.id);
    expect(await workspace.listSessions(false)).toMatchObject([{ id: background.id, origin: "background" }]);
  });
});
