// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Asker, isReason, type JsonObject, type TurnEvent } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Part } from "../history/index.js";
import { ModelError } from "../models/index.js";
import { createScriptedModel, type ScriptedAnswer } from "../models/testing/index.js";
import { openSessions } from "../session/index.js";
import { createCalls, type Tool } from "../tools/call/index.js";
import { dialogTools } from "../tools/dialog/index.js";
import { createLiveTurns } from "../live/index.js";
import { createRequestBroker } from "../requests/index.js";
import { createPlanGates, createTurns } from "./index.js";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-turn-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const call = (id: string, name: string, args: JsonObject = {}): Part => ({ type: "toolCall", id, name, args });
const text = (value: string): Part => ({ type: "text", text: value });

function setUp(
  answers: readonly ScriptedAnswer[],
  more: { tools?: readonly Tool[]; ask?: Asker; planMode?: boolean; maxPlans?: number } = {},
) {
  let hex = 0;
  const store = openSessions({
    dir,
    workspace: "/w",
    now: () => new Date(0),
    randomHex: () => (hex++).toString(16).padStart(8, "0"),
    warn: () => undefined,
  });
  const session = store.create("blitz");
  const model = createScriptedModel(answers);
  const did: string[] = [];
  const plans = createPlanGates(async (_id, plan) => `.blitz/plans/${plan}.md`);
  const tools = [...dialogTools({ plans, agentDecides: true }), ...(more.tools ?? [])];
  let ids = 0;
  const turns = createTurns({
    loop: {
      calls: createCalls({
        tools,
        gate: { decide: async () => ({ allowed: false, why: "no" }) },
        audit: { write: () => undefined },
        denied: () => undefined,
      }),
      maxParallel: 8,
      newId: () => `id-${++ids}`,
      now: () => new Date(0),
      priceOf: () => undefined,
    },
    session: store.forTurn,
    findSession: store.find,
    release: store.release,
    waiting: store.waiting,
    warn: (text) => did.push(`warn ${text}`),
    requests: createRequestBroker({
      now: () => new Date(0),
      newId: () => `request-${++ids}`,
      ui: () => (more.ask === undefined ? undefined : { ask: more.ask, approve: async () => "deny" as const }),
      isHosted: false,
      expiryMs: 0,
    }),
    live: createLiveTurns({ requests: () => [] }),
    keepsWaiting: false,
    setting: async () => ({ agent: "blitz", model, system: "s", tools: [], settings: {} }),
    reloadMemory: async () => void did.push("reload memory"),
    checkpoints: { begin: async (turn) => void did.push(`checkpoint ${turn.prompt} ${turn.label}`) },
    audit: { write: (entry) => did.push(`audit ${entry.kind} ${entry.detail}`) },
    plans,
    mode: { planning: () => more.planMode === true, leavePlan: (acceptEdits) => did.push(`leave plan ${acceptEdits}`) },
    ...(more.maxPlans === undefined ? {} : { maxPlans: more.maxPlans }),
  });
  const events: TurnEvent[] = [];
  const run = (
    prompt: string,
    turn: { plan?: boolean; accepted?: boolean; maxTurns?: number; timeoutMs?: number; maxCostUsd?: number } = {},
    signal?: AbortSignal,
  ) =>
    turns.run(
      session.id,
      { text: prompt, ...turn },
      { onEvent: (event) => events.push(event), ...(signal === undefined ? {} : { signal }) },
    );
  const transcript = async (): Promise<string[]> =>
    (await session.messages()).map(
      (message) => `${message.role}${message.kind && `/${message.kind}`}: ${message.text}`,
    );
  return { turns, session, model, events, run, did, transcript };
}

const failed = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a turn", () => {
  it("asks for the instruction file in place of /init, and reads it again in the end, failed or not (MEM-22, ENG-97)", async () => {
    const { run, did, transcript, model } = setUp([
      "Written.",
      { error: new ModelError("network", "cut", { provider: "p", model: "m" }) },
      "Yes.",
    ]);
    await run("/init");
    expect(await transcript()).toEqual(["user: /init", "model: Written."]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain(
      "update that file and make no other. Else write BLITZ.md",
    );
    expect(await failed(run("/init"))).toBeDefined();
    await run("/init the database");
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain("/init the database");
    expect(did.filter((one) => one === "reload memory")).toHaveLength(2);
  });

  it("begins a checkpoint, records the prompt, runs, records the answer (WS-22…26)", async () => {
    const { run, did, transcript, session } = setUp(["Hello."]);
    const order: string[] = [];
    const result = await run(`say  hello\n${"x".repeat(80)}`);
    expect(result).toMatchObject({
      output: "Hello.",
      leftover: [],
      before: { calls: 0 },
      after: { calls: 1, priced: false },
    });
    expect(did).toEqual([
      expect.stringMatching(/^audit prompt say /),
      expect.stringMatching(/^checkpoint 0 say hello x{49}…$/),
    ]);
    expect(await transcript()).toEqual([expect.stringMatching(/^user: say/), "model: Hello."]);
    expect((await session.log()).map((line) => ("event" in line ? line.event.role : "?"))).toEqual(["user", "model"]);
    expect(order).toEqual([]);
  });

  it("sends a prompt the transcript has already without recording it once more (WS-22)", async () => {
    const { run, did, transcript, session } = setUp(["Hello."]);
    await run("came too late", { accepted: true });
    expect(did).toEqual(["checkpoint 0 came too late"]);
    expect(await transcript()).toEqual(["model: Hello."]);
    expect(await session.log()).toHaveLength(2);
  });

  it("streams text once: partial first, the final text repeated (WS-31)", async () => {
    const { run, events } = setUp([{ parts: [{ type: "thought", text: "hm", provider: "p" }, text("Hi.")] }]);
    await run("go");
    expect(
      events.map((event) =>
        event.type === "text" ? [event.text, event.partial, event.repeat, event.thought] : event.type,
      ),
    ).toEqual([
      ["hm", true, false, true],
      ["Hi.", true, false, false],
      ["hm", false, true, true],
      ["Hi.", false, true, false],
    ]);
  });

  it("refuses an empty prompt and records nothing", async () => {
    const { run, did } = setUp([]);
    expect(isReason(await failed(run(" \n")), "INVALID_TURN")).toBe(true);
    expect(did).toEqual([]);
  });

  it("refuses a second turn in the same session (WS-47)", async () => {
    const gate = Promise.withResolvers<void>();
    const { run, turns } = setUp([{ parts: [text("one")], delay: gate.promise }]);
    const first = run("one");
    expect(isReason(await failed(run("two")), "SESSION_BUSY")).toBe(true);
    expect(turns.busy()).toBe(true);
    gate.resolve();
    expect((await first).output).toBe("one");
    expect(turns.busy()).toBe(false);
  });

  it("ends at its time limit with that as the reason (WS-29)", async () => {
    const { run, transcript } = setUp([{ parts: [text("never")], delay: new Promise(() => undefined) }]);
    const error = await failed(run("go", { timeoutMs: 20 }));
    expect(isReason(error, "TIME_LIMIT") && error.message).toBe("the turn reached its time limit (0.02 s)");
    expect(await transcript()).toEqual(["user: go"]);
  });

  it("keeps what was said when it fails half-way (WS-26)", async () => {
    const failure = new ModelError("network", "cut", { provider: "p", model: "m" });
    const { run, transcript, session } = setUp([{ parts: [text("Half an ans")], error: failure }]);
    expect(isReason(await failed(run("go")), "MODEL_FAILED")).toBe(true);
    expect(await transcript()).toEqual(["user: go", "model: Half an ans"]);
    expect(await session.log()).toHaveLength(1);
  });

  it("ends with the error of a handler that throws (CTR-20)", async () => {
    const { turns, session } = setUp(["Hi."]);
    const broken = new Error("handler");
    const error = await failed(
      turns.run(
        session.id,
        { text: "go" },
        {
          onEvent: () => {
            throw broken;
          },
        },
      ),
    );
    expect(error).toBe(broken);
  });

  it("is cancelled by session and waited for when closing", async () => {
    const { run, turns, session } = setUp([{ parts: [], delay: new Promise(() => undefined) }]);
    const going = failed(run("go"));
    expect(await turns.cancel(session.id)).toBe(true);
    expect((await going) as Error).toMatchObject({ name: "AbortError" });
    expect(await turns.cancel(session.id)).toBe(false);
    await turns.close(new Error("closing"));
  });

  it("warns once that an unpriced model can't be held to money (CLI-28)", async () => {
    const { run, events } = setUp(["x"]);
    await run("go", { maxCostUsd: 1 });
    expect(events.filter((event) => event.type === "notice")).toHaveLength(1);
  });

  it("takes steering while it runs and says when it is too late (WS-27)", async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const wait: Tool = {
      name: "wait",
      description: "",
      schema: { type: "object" },
      planAllowed: true,
      run: async () => {
        started.resolve();
        await gate.promise;
        return {};
      },
    };
    const { run, turns, session, transcript } = setUp([{ parts: [call("a", "wait")] }, "done"], { tools: [wait] });
    const going = run("go");
    await started.promise;
    await turns.steer(session.id, "faster");
    gate.resolve();
    await going;
    expect(isReason(await failed(turns.steer(session.id, "late")), "STEER_TOO_LATE")).toBe(true);
    expect(await transcript()).toEqual(["user: go", "user/steer: faster", "model: done", "user/steer: late"]);
    const results = (await session.log())
      .flatMap((line) => ("event" in line ? line.event.parts : []))
      .filter((part) => part.type === "toolResult");
    expect(results).toMatchObject([{ result: { message_from_user: "faster" } }]);
  });
});

describe("plans", () => {
  const exit = call("p", "exit_plan_mode", { plan: "PLAN" });

  it("asks for a plan with reading tools only and answers with it where nobody reviews (CLI --plan, APR-41)", async () => {
    const { run, model, transcript, did } = setUp([{ parts: [exit] }, "never"]);
    expect((await run("make it fast", { plan: true })).output).toBe("PLAN");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Plan this without changing anything");
    expect(await transcript()).toEqual(["user: /plan make it fast", "model: PLAN"]);
    expect(did.filter((line) => line.startsWith("leave"))).toEqual([]);
  });

  it.each([
    ["execute", false],
    ["execute_accept_edits", true],
  ])("carries out a plan approved by the key %s (WS-45)", async (key, acceptEdits) => {
    const { run, did, transcript } = setUp([{ parts: [text("Here is it."), exit] }, "Built."], {
      planMode: true,
      ask: async () => ({ keys: [key] }),
    });
    expect((await run("go")).output).toBe("Here is it.\n\nBuilt.");
    expect(did).toContain(`leave plan ${acceptEdits}`);
    expect((await transcript())[1]).toMatch(
      /^user\/plan: \(plan approved\) The plan is approved. It is saved in \.blitz\/plans\/PLAN\.md/,
    );
  });

  it("returns feedback for a revision, and ends when planning is kept (APR-41)", async () => {
    const said = [{ text: "smaller" }, { keys: ["keep_planning"] }];
    const { run, session } = setUp([{ parts: [exit] }, { parts: [call("q", "exit_plan_mode", { plan: "PLAN 2" })] }], {
      planMode: true,
      ask: async () => said.shift() ?? { text: "" },
    });
    expect((await run("go")).output).toBe("PLAN 2");
    const results = (await session.log())
      .flatMap((line) => ("event" in line ? line.event.parts : []))
      .flatMap((part) => (part.type === "toolResult" ? [part.result] : []));
    expect(results).toEqual([{ approved: false, feedback: "smaller" }, { approved: false }]);
  });

  it("carries out at most as many plans as allowed in a prompt (WS-45)", async () => {
    const again = Array.from({ length: 9 }, (_, at) => [
      { parts: [call(`e${at}`, "enter_plan_mode")] },
      { parts: [call(`x${at}`, "exit_plan_mode", { plan: `P${at}` })] },
    ]).flat();
    const { run, did } = setUp(again, { ask: async () => ({ keys: ["execute"] }), maxPlans: 2 });
    await run("go");
    expect(did.filter((line) => line.startsWith("leave"))).toHaveLength(2);
  });

  it.each([
    ["exit_plan_mode", { plan: "x" }, /not planning/],
    ["enter_plan_mode", {}, /nobody can review/],
    ["ask_user_question", { question: "?" }, /nobody can answer/],
    ["ask_user_question", { question: " " }, /empty/],
    ["todo", { items: [{ content: " " }] }, /no content/],
    ["todo", { items: [{ content: "x", status: "later" }] }, /unknown status/],
  ])("%s %j is an error the model reads (05 §6)", async (name, args, message) => {
    const { run, session } = setUp([{ parts: [call("a", name, args)] }]);
    await run("go");
    expect(JSON.stringify((await session.log())[2])).toMatch(message);
  });

  it("normalises the task list and sends it as an event (WF-02)", async () => {
    const items = [{ content: "a", status: "completed" }, { content: "b", status: "doing" }, { content: "c" }];
    const { run, events } = setUp([{ parts: [call("a", "todo", { items })] }]);
    await run("go");
    expect(events.find((event) => event.type === "tasks")).toMatchObject({
      items: [
        { content: "a", status: "done" },
        { content: "b", status: "in_progress" },
        { content: "c", status: "pending" },
      ],
    });
  });

  it("gives the answer's label and key, and refuses what isn't an option (APR-40)", async () => {
    const answers = [{ keys: ["2"] }, { keys: ["9"] }];
    const { run, session } = setUp(
      [
        { parts: [call("a", "ask_user_question", { question: "Which?", options: ["red", "blue"] })] },
        { parts: [call("b", "ask_user_question", { question: "Which?", options: ["red"] })] },
      ],
      { ask: async () => answers.shift() ?? { text: "" } },
    );
    await run("go");
    const log = await session.log();
    expect(JSON.stringify(log[2])).toContain('{"answer":"blue","key":"2"}');
    expect(JSON.stringify(log[4])).toContain("there is no option");
  });
});
