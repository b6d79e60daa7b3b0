// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  type ApprovalRequest,
  type Backend,
  isReason,
  type LiveEvent,
  type Question,
  type Turn,
  type TurnEvent,
  type TurnState,
} from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlace, type Place } from "./blitzd.js";

/** An opened backend of one kind, and how to end what it takes. */
export interface Opened {
  readonly backend: Backend;
  /** Whether requests wait for any client instead of being refused without a front end. */
  readonly isHosted: boolean;
  readonly end: () => Promise<void>;
}

const call = (name: string, args: object, id?: string) => ({ type: "call" as const, name, args, ...(id && { id }) });
const create = (path: string, content = "x\n") => call("create_file", { path, content });
const usage = { input: 10, output: 5 };

/** What every implementation of `Backend` does alike (40): one suite, run against each. */
export function describeContract(kind: string, open: (place: Place) => Promise<Opened>): void {
  let place: Place;
  let opened: Opened;
  let backend: Backend;
  beforeEach(async () => {
    place = await createPlace();
    opened = await open(place);
    ({ backend } = opened);
  });
  afterEach(async () => {
    await opened.end();
    await place[Symbol.asyncDispose]();
  });

  const reasonOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => undefined,
      (problem: unknown) => problem,
    );
    if (isReason(error)) return { reason: error.reason, metadata: error.metadata, hasWords: error.message !== "" };
    return error;
  };
  const failure = (reason: string, metadata: Readonly<Record<string, string>> = {}) => ({
    reason,
    metadata,
    hasWords: true,
  });
  const session = async (): Promise<string> => (await backend.newSession()).id;
  const run = async (text: string, turn: Partial<Turn> = {}, id?: string) => {
    const events: TurnEvent[] = [];
    const order: string[] = [];
    const sessionId = id ?? (await session());
    const result = await backend.run(
      sessionId,
      { text, ...turn },
      {
        onEvent: (event) => {
          events.push(event);
          order.push(event.type);
        },
        onAccepted: () => order.push("accepted"),
        onFinished: () => order.push("finished"),
      },
    );
    return { sessionId, result, events, order };
  };
  /** Answers requests as a person would, and notes them. */
  const answering = (decide: (request: ApprovalRequest) => "once" | "session" | "deny", text = "green") => {
    const asked: (ApprovalRequest | Question)[] = [];
    backend.setUi({
      approve: async (request) => {
        asked.push(request);
        return decide(request);
      },
      ask: async (question) => {
        asked.push(question);
        return question.options.length > 0 ? { keys: [question.options[0]?.key ?? ""] } : { text };
      },
    });
    return asked;
  };

  describe(`${kind}: turns`, () => {
    it("tells events in order and returns the result (WS-22…31, CTR-20)", async () => {
      place.put("a.txt", "alpha\n");
      place.fake.script(
        {
          parts: [{ type: "thinking", text: "hm", signature: "s" }, call("read_file", { path: "a.txt" }, "c1")],
          usage,
        },
        { text: "Read it.", usage },
      );
      const { result, events, order, sessionId } = await run("read a.txt");
      expect(result).toMatchObject({
        output: "Read it.",
        leftover: [],
        before: { calls: 0 },
        after: { calls: 2, input: 20 },
      });
      expect([order[0], order.at(-1)]).toEqual(["accepted", "finished"]);
      expect(events.filter((event) => !("partial" in event && event.partial))).toEqual([
        { author: "blitz", type: "text", text: "hm", partial: false, repeat: true, thought: true },
        { author: "blitz", type: "tool_call", id: "c1", name: "read_file", args: { path: "a.txt" }, partial: false },
        { author: "blitz", type: "tool_result", id: "c1", name: "read_file", result: expect.objectContaining({}) },
        { author: "blitz", type: "text", text: "Read it.", partial: false, repeat: true, thought: false },
      ]);
      expect((await backend.activeSession())?.messages?.map(({ role, text }) => [role, text])).toEqual([
        ["user", "read a.txt"],
        ["model", "Read it."],
      ]);
      expect((await backend.usage()).calls).toBe(2);
      expect((await backend.listSessions(false)).map((one) => one.id)).toEqual([sessionId]);
    });

    it("tells task lists and notices", async () => {
      place.fake.script(
        { parts: [call("todo", { items: [{ content: "a", status: "doing" }] })] },
        { text: "cut", stop: "max_tokens" },
      );
      const { events } = await run("go");
      expect(events).toContainEqual({
        author: "blitz",
        type: "tasks",
        items: [{ content: "a", status: "in_progress" }],
      });
      expect(events).toContainEqual({
        author: "blitz",
        type: "notice",
        text: expect.stringContaining("cut"),
        error: true,
      });
    });

    it("asks through the front end it was given: approvals with their diff, questions with their options", async () => {
      const asked = answering(() => "once");
      place.fake.script(
        {
          parts: [
            create("a.txt", "alpha\n"),
            call("ask_user_question", { question: "Which?", options: ["red", "blue"] }),
          ],
        },
        { parts: [call("ask_user_question", { question: "And?" })] },
        { text: "Done." },
      );
      const { result } = await run("go");
      expect([result.output, place.get("a.txt")]).toEqual(["Done.", "alpha\n"]);
      expect(asked).toContainEqual({
        tool: "create_file",
        kind: "write_file",
        detail: expect.stringContaining("a.txt"),
        diff: expect.stringContaining("+alpha"),
        key: expect.stringContaining("write:"),
        keyLabel: expect.stringMatching(/./),
        targets: ["a.txt"],
        mustAsk: false,
      });
      expect(asked).toContainEqual({
        question: "Which?",
        options: [
          { key: "1", label: "red" },
          { key: "2", label: "blue" },
        ],
      });
      const sent = JSON.stringify(place.fake.requests.at(-1)?.body);
      expect(sent).toContain("green");
    });

    it.each([
      ["an empty prompt", { text: " " }, failure("INVALID_TURN")],
      ["one call too many", { text: "go", maxTurns: 1 }, failure("MAX_TURNS", { limit: "1" })],
    ])("refuses %s with its reason", async (_name, turn, expected) => {
      answering(() => "deny");
      place.fake.script({ parts: [create("a.txt")] });
      expect(await reasonOf(backend.run(await session(), turn, { onEvent: () => undefined }))).toEqual(expected);
    });

    it.each([
      [
        "an answer that fails",
        { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "no" } } },
        "MODEL_FAILED",
      ],
      [
        "a quota that is used up",
        { status: 429, body: { type: "error", error: { type: "rate_limit_error", message: "no" } } },
        "MODEL_FAILED",
      ],
    ])("ends with %s as what it is", async (_name, answer, reason) => {
      place.fake.script(answer);
      expect(await reasonOf(backend.run(await session(), { text: "go" }, { onEvent: () => undefined }))).toMatchObject({
        reason: expect.stringMatching(`${reason}|QUOTA_EXCEEDED`),
        metadata: { model: expect.stringContaining("fake-model") },
      });
    });

    it("ends at its time limit", async () => {
      const hold = Promise.withResolvers<void>();
      place.fake.script({ text: "late", hold: hold.promise });
      const failed = await reasonOf(
        backend.run(await session(), { text: "go", timeoutMs: 50 }, { onEvent: () => undefined }),
      );
      expect(failed).toMatchObject({ reason: "TIME_LIMIT" });
      hold.resolve();
    });

    it("refuses a session that isn't there, and a second turn in one where one runs (WS-47)", async () => {
      const hold = Promise.withResolvers<void>();
      place.fake.script({ text: "one", hold: hold.promise });
      const gone = "session-20200101-000000-00000000";
      const handlers = { onEvent: () => undefined };
      expect(await reasonOf(backend.run(gone, { text: "x" }, handlers))).toEqual(
        failure("SESSION_NOT_FOUND", { id: gone }),
      );
      const id = await session();
      const first = backend.run(id, { text: "one" }, handlers);
      await expect.poll(() => place.fake.requests.length).toBe(1);
      expect(await reasonOf(backend.run(id, { text: "two" }, handlers))).toEqual(failure("SESSION_BUSY", { id }));
      hold.resolve();
      expect((await first).output).toBe("one");
    });

    it("is cancelled by its signal with the signal's reason, and by cancelTurn", async () => {
      const hold = Promise.withResolvers<void>();
      place.fake.script({ text: "1", hold: hold.promise }, { text: "2", hold: hold.promise });
      const id = await session();
      const cancel = new AbortController();
      const why = new DOMException("enough", "AbortError");
      const first = reasonOf(backend.run(id, { text: "one" }, { onEvent: () => undefined, signal: cancel.signal }));
      await expect.poll(() => place.fake.requests.length).toBe(1);
      cancel.abort(why);
      expect(await first).toBe(why);
      const second = reasonOf(backend.run(id, { text: "two" }, { onEvent: () => undefined }));
      await expect.poll(() => place.fake.requests.length).toBe(2);
      expect(await backend.cancelTurn(id, "e-another")).toBe(false);
      expect(await backend.cancelTurn(id)).toBe(true);
      expect(await second).toMatchObject({ name: "AbortError" });
      expect(await backend.cancelTurn(id)).toBe(false);
      hold.resolve();
    });

    it("ends with the error of a handler that throws (CTR-20)", async () => {
      place.fake.script({ text: "Hello." });
      const broken = new Error("mine");
      const throwing = (): never => {
        throw broken;
      };
      expect(await reasonOf(backend.run(await session(), { text: "go" }, { onEvent: throwing }))).toBe(broken);
    });

    it("takes steering messages while it runs, and says when it is too late (WS-27)", async () => {
      const hold = Promise.withResolvers<void>();
      place.put("a.txt", "a");
      place.fake.script(
        { parts: [call("read_file", { path: "a.txt" })], holdBody: hold.promise },
        { text: "Steered." },
      );
      const id = await session();
      const going = run("go", {}, id);
      await expect.poll(() => place.fake.requests.length).toBe(1);
      await backend.steer(id, "look at b too");
      hold.resolve();
      expect((await going).result.output).toBe("Steered.");
      expect(JSON.stringify(place.fake.requests.at(-1)?.body)).toContain("look at b too");
      expect(await reasonOf(backend.steer(id, "more"))).toEqual(failure("STEER_TOO_LATE"));
    });
  });

  describe(`${kind}: watching and requests`, () => {
    const watch = (id: string, after = 0) => {
      const states: TurnState[] = [];
      const events: LiveEvent[] = [];
      const stop = new AbortController();
      const done = backend.watchSession(
        id,
        { after },
        {
          onState: (state) => void states.push(state),
          onEvent: (event) => void events.push(event),
          signal: stop.signal,
        },
      );
      return { states, events, stop, done };
    };

    it("shows a turn to whoever watches, from any event on (SVC-20, 22, PRT-23)", async () => {
      const hold = Promise.withResolvers<void>();
      place.fake.script({ text: "Hello.", holdBody: hold.promise });
      const id = await session();
      const going = run("go", {}, id);
      await expect.poll(() => place.fake.requests.length).toBe(1);
      const live = watch(id);
      await expect.poll(() => live.states.length).toBe(1);
      hold.resolve();
      await Promise.all([going, live.done]);
      expect(live.states[0]).toMatchObject({ sessionId: id, phase: "running", firstEvent: 1 });
      expect(live.events.map((event) => event.n)).toEqual(live.events.map((_event, at) => at + 1));
      expect(live.events[0]).toMatchObject({ type: "accepted", turnId: live.states[0]?.turnId });
      expect(live.events.at(-1)).toMatchObject({ type: "finished", end: { output: "Hello.", after: { calls: 1 } } });
      const late = watch(id, live.events.length - 1);
      await late.done;
      expect(late.events).toEqual(live.events.slice(-1));
      expect(late.states[0]).toMatchObject({ phase: "ended", lastEvent: live.events.length });
    });

    it("says that nothing is live, refuses what isn't there, and ends quietly on abort", async () => {
      const id = await session();
      const idle = watch(id);
      await idle.done;
      expect(idle.states).toMatchObject([{ turnId: "", phase: "ended", requests: [] }]);
      const gone = "session-20200101-000000-00000000";
      expect(await reasonOf(watch(gone).done)).toEqual(failure("SESSION_NOT_FOUND", { id: gone }));
      const states: TurnState[] = [];
      const stop = new AbortController();
      const following = backend.watchSession(
        id,
        { after: -1, follow: true },
        { onState: (state) => void states.push(state), onEvent: () => undefined, signal: stop.signal },
      );
      await expect.poll(() => states.length).toBe(1);
      stop.abort();
      await following;
    });

    it("lists what waits and takes the first valid answer from anybody (SVC-26, CTR-11)", async () => {
      backend.setUi({ approve: () => new Promise(() => undefined), ask: () => new Promise(() => undefined) });
      place.fake.script(
        { parts: [create("a.txt")] },
        { parts: [call("ask_user_question", { question: "Which?", options: ["red"] })] },
        { text: "Done." },
      );
      const id = await session();
      const going = run("go", {}, id);
      const waiting = async () => {
        await expect.poll(async () => (await backend.pendingRequests(id)).length).toBe(1);
        return (await backend.pendingRequests())[0];
      };
      const approval = await waiting();
      expect(approval).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        sessionId: id,
        approval: { tool: "create_file" },
      });
      const approvalId = approval?.id ?? "";
      expect(await reasonOf(backend.answerRequest(approvalId, { keys: ["1"] }))).toMatchObject({
        reason: expect.stringMatching(/^INVALID_/),
      });
      expect(await backend.answerRequest(approvalId, "once")).toMatchObject({ won: true, answer: "once" });
      expect(await backend.answerRequest(approvalId, "deny")).toMatchObject({ won: false, answer: "once" });
      await expect.poll(async () => (await backend.pendingRequests())[0]?.id).not.toBe(approvalId);
      const question = await waiting();
      expect(question).toMatchObject({ question: { question: "Which?", options: [{ key: "1", label: "red" }] } });
      expect(await reasonOf(backend.answerRequest(question?.id ?? "", { keys: ["9"] }))).toEqual(
        failure("INVALID_ANSWER"),
      );
      expect(await backend.answerRequest(question?.id ?? "", { keys: ["1"] })).toMatchObject({
        won: true,
        answer: { keys: ["1"] },
      });
      expect((await going).result.output).toBe("Done.");
      expect(place.has("a.txt")).toBe(true);
      expect(await reasonOf(backend.answerRequest("0".repeat(24), "once"))).toEqual(
        failure("UNKNOWN_REQUEST", { id: "0".repeat(24) }),
      );
    });

    it("refuses at once what a turn sent that way would ask (SVC-23)", async () => {
      answering(() => "once");
      place.fake.script({ parts: [create("a.txt")] }, { text: "Refused." });
      expect((await run("go", { onRequest: "deny" })).result.output).toBe("Refused.");
      expect(place.has("a.txt")).toBe(false);
    });
  });

  describe(`${kind}: sessions and changes`, () => {
    it("opens, resumes, titles, lists and deletes sessions (SES-30…32)", async () => {
      place.fake.script({ text: "One." }, { text: "Two." });
      const first = await run("first");
      expect(await backend.openSession("latest", false)).toMatchObject({
        resumed: true,
        session: { id: first.sessionId, origin: "", messages: [{ text: "first" }, { text: "One." }] },
      });
      await backend.renameSession("Mine");
      const second = await run("second");
      expect((await backend.listSessions(true)).map(({ id, title }) => [id, title])).toEqual([
        [second.sessionId, "second"],
        [first.sessionId, "Mine"],
      ]);
      const [listed] = await backend.listSessions(false);
      expect(listed).toMatchObject({ workspace: backend.dir, messageCount: 2 });
      expect(listed?.created).toBeInstanceOf(Date);
      expect(listed).not.toHaveProperty("messages");
      expect(await backend.openSession("", true)).toMatchObject({ session: { id: second.sessionId } });
      expect(await reasonOf(backend.deleteSession(second.sessionId))).toEqual(
        failure("SESSION_OPEN", { id: second.sessionId }),
      );
      await expect.poll(async () => await reasonOf(backend.deleteSession(first.sessionId))).toBeUndefined();
      expect((await backend.listSessions(false)).map((one) => one.id)).toEqual([second.sessionId]);
    });

    it("says why there is nothing to open, title or delete", async () => {
      expect(await backend.activeSession()).toBeUndefined();
      expect(await reasonOf(backend.renameSession("x"))).toEqual(failure("NO_ACTIVE_SESSION"));
      expect(await reasonOf(backend.usage())).toEqual(failure("NO_ACTIVE_SESSION"));
      expect(await reasonOf(backend.openSession("latest", false))).toEqual(failure("RESUME_FAILED", { ref: "latest" }));
      expect(await reasonOf(backend.openSession("../etc", false))).toMatchObject({ reason: "INVALID_ID" });
      await session();
      expect(await reasonOf(backend.renameSession(" "))).toEqual(failure("INVALID_TITLE", { name: " " }));
      const gone = "session-20200101-000000-00000000";
      expect(await reasonOf(backend.deleteSession(gone))).toEqual(failure("SESSION_NOT_FOUND", { id: gone }));
    });

    it("undoes what a prompt changed, and refuses over later changes (06 §6)", async () => {
      answering(() => "session");
      expect(await reasonOf(backend.undo(false))).toEqual(failure("NOTHING_TO_UNDO"));
      place.fake.script(
        { parts: [create("a.txt", "alpha\n")] },
        { text: "Made." },
        { parts: [create("b.txt")] },
        { text: "Made." },
      );
      const { sessionId } = await run("make a");
      await run("make b", {}, sessionId);
      expect((await backend.listCheckpoints()).map(({ label, files }) => [label, files])).toEqual([
        ["make b", ["b.txt"]],
        ["make a", ["a.txt"]],
      ]);
      expect(await backend.sessionDiff()).toContain("+alpha");
      expect(await backend.undo(false)).toEqual({ label: "make b", restored: ["b.txt"] });
      place.put("a.txt", "mine\n");
      expect(await reasonOf(backend.undo(false))).toMatchObject({
        reason: "UNDO_CONFLICT",
        metadata: { files: "a.txt" },
      });
      expect(await backend.undo(true)).toMatchObject({ restored: ["a.txt"] });
      expect([place.has("a.txt"), await backend.sessionDiff()]).toEqual([false, ""]);
    });
  });

  describe(`${kind}: agents, models, settings, permissions`, () => {
    it("chooses agents and models", async () => {
      const agents = await backend.listAgents();
      expect(agents).toContainEqual(expect.objectContaining({ name: "blitz", active: true, pinnedModel: "" }));
      const other = agents.find((agent) => !agent.active)?.name ?? "";
      if (other !== "") {
        await backend.setAgent(other);
        expect((await backend.activeAgent()).name).toBe(other);
      }
      expect(await reasonOf(backend.setAgent("nobody"))).toMatchObject({
        reason: "UNKNOWN_AGENT",
        metadata: { name: "nobody" },
      });
      expect(await backend.model()).toEqual({ name: "fake-model", provider: "anthropic" });
      expect(await backend.modelError()).toBeUndefined();
      expect(await backend.setModel("anthropic/other-model")).toEqual({ activePin: "" });
      expect(await backend.model()).toEqual({ name: "other-model", provider: "anthropic" });
      expect(await reasonOf(backend.setModel("anthropic/"))).toMatchObject({ reason: "BAD_MODEL_REF" });
      expect(await reasonOf(backend.setModel("openai/x"))).toMatchObject({ reason: "MODEL_UNAVAILABLE" });
      expect(await backend.settings()).toMatchObject({
        model: "other-model",
        provider: "anthropic",
        locale: "en-US",
        permissionMode: "default",
      });
    });

    it("sets agency and effort, and refuses what can't be set (WS-43, 44)", async () => {
      expect(await backend.settings()).toMatchObject({ agency: "high", effort: "auto" });
      expect(await backend.set("agency_level", "Low")).toBe("agency");
      expect(await backend.set("effort", "xhigh")).toBe("effort");
      expect(await backend.settings()).toMatchObject({ agency: "low", effort: "max" });
      expect(await reasonOf(backend.set("agency", "none"))).toEqual(failure("INVALID_AGENCY", { value: "none" }));
      expect(await reasonOf(backend.set("effort", "huge"))).toEqual(
        failure("INVALID_SETTING", { key: "effort", value: "huge" }),
      );
      expect(await reasonOf(backend.set("toString", "x"))).toEqual(failure("UNKNOWN_SETTING", { key: "toString" }));
      expect(await backend.settings()).toMatchObject({ agency: "low", effort: "max" });
      await backend.set("effort", "");
      place.fake.script({ text: "Hello." }, { text: "Hello." });
      await run("go");
      await backend.set("agency", "extreme");
      await run("go");
      const [first, second] = place.fake.requests.map(({ body }) => (body as { system: unknown }).system);
      expect(first).not.toEqual(second);
      expect((await backend.settings()).effort).toBe("auto");
    });

    it("changes modes and rules, and refuses bad ones (05)", async () => {
      expect(await backend.setPermissionMode("acceptEdits")).toBe("accept-edits");
      expect((await backend.settings()).permissionMode).toBe("accept-edits");
      expect(await reasonOf(backend.setPermissionMode("yolo"))).toEqual(failure("UNKNOWN_MODE", { mode: "yolo" }));
      expect(await backend.addPermissionRule("deny", "cmd(rm)")).toEqual({
        effect: "deny",
        rule: "shell(rm)",
        source: "session",
      });
      expect(await backend.listPermissionRules()).toContainEqual({
        effect: "deny",
        rule: "shell(rm)",
        source: "session",
      });
      expect(await reasonOf(backend.addPermissionRule("allow", "nonsense("))).toMatchObject({ reason: "BAD_RULE" });
      expect(await reasonOf(backend.addPermissionRule("maybe" as "allow", "shell(ls)"))).toMatchObject({
        reason: "BAD_RULE",
      });
    });

    it("takes back a session's rule, of any effect and in any spelling (PAR-PERM-12)", async () => {
      await backend.addPermissionRule("deny", "shell(rm)");
      await backend.addPermissionRule("ask", "shell(rm)");
      expect(await backend.removePermissionRule("bash( rm )")).toEqual({ rule: "shell(rm)", removed: true });
      expect(await backend.removePermissionRule("shell(rm)")).toEqual({ rule: "shell(rm)", removed: false });
      expect((await backend.listPermissionRules()).filter(({ source }) => source === "session")).toEqual([]);
      expect(await reasonOf(backend.removePermissionRule("nonsense("))).toMatchObject({ reason: "BAD_RULE" });
    });

    it("says what holds for commands, and which instructions are read", async () => {
      expect((await backend.sandboxSummary()).length).toBeGreaterThan(0);
      expect(await backend.memoryFiles()).toEqual([]);
      expect(backend.dir).toBe(place.ws);
    });
  });
}
