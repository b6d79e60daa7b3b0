// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, type Scratch, startBlitz } from "./run-blitz.js";
import { call, until } from "./scene.js";
import { startService, type TestService } from "./start-service.js";

let scratch: Scratch;
let fake: FakeProvider;
beforeEach(async () => {
  scratch = createScratch();
  fake = await startFakeProvider();
  scratch.configure("anthropic", fake.url);
});
afterEach(async () => {
  await fake.close();
  scratch[Symbol.dispose]();
  expect(fake.violations).toEqual([]);
});

type Line = Readonly<Record<string, unknown>>;

/** A run that is written to line by line. */
interface Stream {
  send(...lines: readonly (object | string)[]): void;
  /** The next line of a type that wasn't taken yet. */
  next(type: string): Promise<Line>;
  /** Closes the input and waits for the end. */
  end(): Promise<Finished & { readonly lines: readonly Line[] }>;
  kill(signal: NodeJS.Signals): void;
}

function openStream(...args: readonly string[]): Stream {
  const formats = ["--input-format", "stream-json", "--output-format", "stream-json"];
  const run = startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, ...formats, ...args], {
    openInput: true,
  });
  const lines: Line[] = [];
  let text = "";
  run.child.stdout?.on("data", (chunk: Buffer) => {
    const parts = (text + chunk.toString("utf8")).split("\n");
    text = parts.pop() ?? "";
    lines.push(...parts.map((part) => JSON.parse(part) as Line));
  });
  const taken = new Set<Line>();
  return {
    send: (...sent) => {
      for (const line of sent) run.child.stdin?.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    },
    next: async (type) => {
      for (;;) {
        const line = lines.find((one) => one["type"] === type && !taken.has(one));
        if (line === undefined)
          await Promise.race([once(run.child.stdout ?? run.child, "data"), ended(run.done, type)]);
        else {
          taken.add(line);
          return line;
        }
      }
    },
    end: async () => {
      run.child.stdin?.end();
      return { ...(await run.done), lines };
    },
    kill: (signal) => void run.child.kill(signal),
  };
}

async function ended(done: Promise<Finished>, type: string): Promise<never> {
  throw new Error(`ended without a ${type} line: ${JSON.stringify(await done)}`);
}

const user = (text: string): Line => ({ type: "user", text });
const typesOf = (lines: readonly Line[]): readonly unknown[] =>
  lines.map((line) => line["type"]).filter((type) => type !== "text");
const exists = (name: string): boolean => existsSync(path.join(scratch.ws, name));
const create = (name: string) => call("create_file", { path: name, content: "x" });

describe.each(["in this process", "in the service"])("prompts on standard input, %s (CLI-26)", (where) => {
  let service: TestService | undefined;
  beforeEach(async () => {
    service = where === "in the service" ? await startService(scratch) : undefined;
  });
  afterEach(async () => {
    await service?.[Symbol.asyncDispose]();
  });

  it("runs a turn each in one session, after -p's, each with its session line and result", async () => {
    fake.script({ text: "One." }, { text: "Two." }, { text: "Three." });
    const stream = openStream("-p", "first");
    stream.send(user("second"), "", "  ", "\ufeff" + JSON.stringify(user("third")));
    const { code, lines, stderr } = await stream.end();
    expect([code, stderr]).toEqual([0, ""]);
    expect(typesOf(lines)).toEqual(["session", "result", "session", "result", "session", "result"]);
    const results = lines.filter((line) => line["type"] === "result");
    expect(results.map((line) => line["result"])).toEqual(["One.", "Two.", "Three."]);
    expect(new Set(results.map((line) => line["session_id"])).size).toBe(1);
    expect(fake.requests[2]?.text).toMatch(/first.*One\..*second.*Two\..*third/s);
  });

  it("asks for approvals and takes the answers by their IDs", async () => {
    fake.script({ parts: [create("a.txt"), create("b.txt")] }, { text: "Done." });
    const stream = openStream();
    stream.send(user("go"));
    const first = await stream.next("approval_request");
    expect(first).toMatchObject({ id: "approval-1", tool: "create_file", kind: "write_file", targets: ["a.txt"] });
    stream.send({ type: "approval", id: "approval-1", decision: "yes" });
    expect(await stream.next("approval_request")).toMatchObject({ id: "approval-2", targets: ["b.txt"] });
    stream.send({ type: "approval", id: "approval-2", decision: "perhaps" });
    expect(await stream.next("result")).toMatchObject({ result: "Done.", exit_code: 0 });
    const { code, lines } = await stream.end();
    expect([code, exists("a.txt"), exists("b.txt")]).toEqual([0, true, false]);
    expect(typesOf(lines)).not.toContain("request_resolved");
  });

  it("asks questions, answered by an option's key or by text; what doesn't fit leaves them open", async () => {
    const ask = call("ask_user_question", { question: "Which?", options: ["red", "blue"] });
    fake.script({ parts: [ask] }, { parts: [ask] }, { text: "Done." });
    const stream = openStream();
    stream.send(user("go"));
    expect(await stream.next("question")).toEqual({
      type: "question",
      id: "question-1",
      question: "Which?",
      plan: false,
      options: [
        { key: "1", label: "red" },
        { key: "2", label: "blue" },
      ],
      multi_select: false,
    });
    stream.send({ type: "answer", id: "question-1", keys: ["7"] });
    expect(await stream.next("error")).toMatchObject({ error: expect.stringContaining("7") });
    stream.send({ type: "answer", id: "question-1", keys: ["2"] });
    expect(await stream.next("tool_result")).toMatchObject({ result: { answer: "blue", key: "2" } });
    await stream.next("question");
    stream.send({ type: "answer", id: "question-2", text: "green" });
    expect(await stream.next("tool_result")).toMatchObject({ result: { answer: "green" } });
    expect((await stream.end()).code).toBe(0);
  });

  it("tells what it can't follow, and goes on", async () => {
    fake.script({ text: "Done." });
    const stream = openStream();
    const bad: readonly (object | string)[] = [
      "no JSON",
      "[1]",
      { type: "usr", text: "x" },
      { type: "user" },
      { type: "user", text: "  " },
      { type: "approval", id: "approval-9", decision: "once" },
      { type: "answer", id: "question-9" },
      { type: "interrupt" },
      { type: "steer", text: "left" },
      `{"type":"user","text":"${"x".repeat(4 * 1024 * 1024)}"}`,
    ];
    stream.send(...bad, user("go"));
    const { code, lines } = await stream.end();
    const errors = lines.filter((line) => line["type"] === "error").map((line) => line["error"]);
    expect(errors).toEqual([
      "the line is no JSON object",
      "the line is no JSON object",
      'unknown type "usr"',
      "a user line needs a text",
      "a user line needs a text",
      "nothing waits as approval-9",
      "an answer line needs an id, and keys or a text",
      "no turn runs",
      "no turn runs",
      "the line is over 4 MiB",
    ]);
    expect([code, lines.at(-1)?.["result"], fake.requests.length]).toEqual([0, "Done.", 1]);
  });

  it("denies what waits when the input ends, fails questions, and asks nothing afterwards", async () => {
    const ask = call("ask_user_question", { question: "Which?" });
    fake.script({ parts: [create("a.txt")] }, { parts: [ask, create("b.txt")] }, { text: "Alone." });
    const stream = openStream();
    stream.send(user("go"));
    await stream.next("approval_request");
    const { code, lines } = await stream.end();
    expect([code, lines.at(-1)?.["result"]]).toEqual([0, "Alone."]);
    expect([exists("a.txt"), exists("b.txt")]).toEqual([false, false]);
    expect(JSON.stringify(lines)).toContain("nobody can answer now");
  });

  it("reviews a plan by an option's key; the input's end keeps it as the answer (APR-41)", async () => {
    const plan = call("exit_plan_mode", { plan: "# The plan" });
    fake.script({ parts: [plan] }, { text: "Carried out." }, { parts: [plan] });
    const stream = openStream("--permission-mode", "plan");
    stream.send(user("go"));
    expect(await stream.next("question")).toMatchObject({ plan: true, question: "# The plan" });
    stream.send({ type: "answer", id: "question-1", keys: ["execute_accept_edits"] });
    expect(await stream.next("result")).toMatchObject({ result: "Carried out.", exit_code: 0 });
    await stream.end();
    const again = openStream("--permission-mode", "plan");
    again.send(user("go"));
    await again.next("question");
    expect((await again.end()).lines.at(-1)).toMatchObject({ result: "# The plan", exit_code: 0 });
  });

  it("exits as the last turn that failed, and runs the others", async () => {
    fake.script({ parts: [call("list_files", {})] }, { text: "Fine." });
    const stream = openStream("--max-turns", "1");
    stream.send(user("too much"), user("little"));
    const { code, lines } = await stream.end();
    const results = lines.filter((line) => line["type"] === "result");
    expect([code, ...results.map((line) => line["exit_code"])]).toEqual([3, 3, 0]);
  });

  it("interrupts one turn and goes on with the next", async () => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "never", holdBody: hold.promise }, { text: "Next." });
    const stream = openStream();
    stream.send(user("long"));
    await until(() => fake.requests.length === 1);
    stream.send({ type: "interrupt" });
    expect(await stream.next("result")).toMatchObject({ exit_code: 130, error: "interrupted" });
    hold.resolve();
    stream.send(user("short"));
    expect(await stream.next("result")).toMatchObject({ exit_code: 0, result: "Next." });
    expect((await stream.end()).code).toBe(130);
  });

  it("hands a steering line to the turn that runs (WS-27)", async () => {
    fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const stream = openStream();
    stream.send(user("go"));
    await stream.next("approval_request");
    stream.send({ type: "steer", text: "in German" }, { type: "approval", id: "approval-1", decision: "once" });
    expect(await stream.next("tool_result")).toMatchObject({ result: { message_from_user: "in German" } });
    expect((await stream.end()).code).toBe(0);
  });

  it("runs a steering line that no result carried as the next turn, recorded once (TUI-33, WS-22)", async () => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "One.", holdBody: hold.promise }, { text: "Two." });
    const stream = openStream();
    stream.send(user("go"));
    await until(() => fake.requests.length === 1);
    stream.send({ type: "steer", text: "in German" }, "marks that it was taken");
    await stream.next("error");
    hold.resolve();
    expect(await stream.next("result")).toMatchObject({ result: "One." });
    expect(await stream.next("result")).toMatchObject({ result: "Two." });
    expect((await stream.end()).code).toBe(0);
    expect(fake.requests[1]?.text).toContain("in German");
    const sessions = await startBlitz(scratch, ["sessions", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect(sessions.stdout).toMatch(/ {2}4 {2}go$/m);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s ends the run though the input is open (CLI-19)", async (signal) => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "never", holdBody: hold.promise });
    const stream = openStream();
    stream.send(user("long"), user("never begun"));
    await until(() => fake.requests.length === 1);
    stream.kill(signal);
    expect(await stream.next("result")).toMatchObject({ exit_code: 130 });
    hold.resolve();
    expect((await stream.end()).code).toBe(130);
    expect(fake.requests).toHaveLength(1);
  });
});

describe("prompts on standard input", () => {
  it("tells what another client answered (CLI-26, SVC-26)", async () => {
    await using service = await startService(scratch);
    fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const stream = openStream();
    stream.send(user("go"));
    await stream.next("approval_request");
    const backend = await service.attach("script;other");
    const [request] = await backend.pendingRequests();
    await backend.answerRequest(request?.id ?? "", "once");
    expect(await stream.next("request_resolved")).toEqual({
      type: "request_resolved",
      id: "approval-1",
      outcome: "answered",
      by: "script;other",
    });
    expect((await stream.end()).code).toBe(0);
    await backend.close();
    expect(exists("a.txt")).toBe(true);
  });

  it("ends with nothing to say when nothing came", async () => {
    expect(await openStream("--local").end()).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    ["a text output", ["--input-format", "stream-json"], "needs --output-format stream-json"],
    ["json output", ["--input-format", "stream-json", "--output-format", "json"], "needs --output-format stream-json"],
    ["-p -", ["--input-format", "stream-json", "--output-format", "stream-json", "-p", "-"], "standard input"],
    ["--bg", ["--input-format", "stream-json", "--output-format", "stream-json", "--bg", "go"], "--bg"],
  ])("is refused with %s (CLI-06)", async (_name, args, message) => {
    const run = await startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, ...args]).done;
    expect([run.code, run.stdout, run.stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });
});
