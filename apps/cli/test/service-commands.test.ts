// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Backend, Request } from "@blitz/api";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Scratch } from "./run-blitz.js";
import { call, until } from "./scene.js";
import { begin, blitz, outputOf, runEnded, startRun, startService, type TestService } from "./start-service.js";

let scratch: Scratch;
let fake: FakeProvider;
let service: TestService;
beforeEach(async () => {
  scratch = createScratch();
  fake = await startFakeProvider();
  scratch.configure("anthropic", fake.url);
  service = await startService(scratch);
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await fake.close();
  scratch[Symbol.dispose]();
});

const create = (file: string) => call("create_file", { path: file, content: "x\n" });
const has = (file: string): boolean => existsSync(path.join(scratch.ws, file));
const jsonLines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The requests that wait in the workspace, as another client sees them, once there are so many. */
async function waiting(backend: Backend, count = 1): Promise<readonly Request[]> {
  for (;;) {
    const found = await backend.pendingRequests();
    if (found.length === count) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A run that waits for the answer to one edit. */
async function waitingRun(): Promise<{ readonly id: string; readonly session: string; readonly request: string }> {
  fake.script({ parts: [create("a.txt")] }, { text: "Made it." });
  const run = await startRun(scratch, "make a file");
  const [request] = await waiting(await service.attach());
  return { ...run, request: request?.id ?? "" };
}

describe("--bg (CLI-29, SVC-24)", () => {
  it("starts a run in a session of its own, prints how to follow it, and leaves it to the service", async () => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "Done there.", hold: hold.promise });
    const run = await blitz(scratch, ["exec", "--bg", "do it"]);
    expect([run.code, run.stderr, run.stdout.replaceAll(/session-[\w-]+/g, "session-X")]).toEqual([
      0,
      "",
      `Started bg-1 in ${realpathSync(scratch.ws)}, session session-X.\n  blitz attach bg-1   follow it, and answer what it asks\n  blitz logs -f bg-1  see what it does\n  blitz stop bg-1     stop it\n`,
    ]);
    hold.resolve();
    await runEnded(service, "bg-1");
    expect((await service.client.listBackground()).map(({ id, state, prompt }) => [id, state, prompt])).toEqual([
      ["bg-1", "done", "do it"],
    ]);
    expect(await (await service.attach()).activeSession()).toBeUndefined();
  });

  it("takes its limits and the plan along", async () => {
    fake.script({ parts: [create("a.txt")] }, { parts: [create("b.txt")] });
    const run = await startRun(scratch, "go", "--max-turns", "1", "--plan");
    await runEnded(service, run.id);
    const [ended] = await service.client.listBackground();
    expect([ended?.state, ended?.error, has("a.txt")]).toEqual([
      "failed",
      expect.stringContaining("maximum turns reached (1"),
      false,
    ]);
    expect((await blitz(scratch, ["logs", "-f", run.id])).code).toBe(3);
  });

  it("sets what the command line says in the workspace", async () => {
    fake.script({ parts: [create("a.txt")] }, {});
    const run = await startRun(scratch, "go", "--permission-mode", "accept-edits");
    await runEnded(service, run.id);
    expect(has("a.txt")).toBe(true);
  });

  it.each([
    ["no prompt", ["exec", "--bg"], /there is no prompt/],
    ["--local", ["exec", "--bg", "--local", "go"], /--bg and --local exclude each other/],
    ["--name", ["exec", "--bg", "--name", "x", "go"], /--bg and --name exclude each other/],
    ["--resume", ["exec", "--bg", "--resume", "go"], /session of its own/],
    ["--continue", ["exec", "--bg", "--continue", "go"], /session of its own/],
    ["json output", ["exec", "--bg", "--output-format", "json", "go"], /--output-format must be text/],
  ])("refuses %s (CLI-06)", async (_name, args, message) => {
    const run = await blitz(scratch, args, { stdin: "" });
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toMatch(message);
    expect(fake.requests).toEqual([]);
  });
});

describe("blitz agents", () => {
  it("lists the runs that go on or wait, newest first, with --all the ended ones too", async () => {
    const { id } = await waitingRun();
    fake.script({ text: "x" });
    const ended = await startRun(scratch, "and a prompt that is rather longer than the fifty characters shown");
    await runEnded(service, ended.id);
    const active = await blitz(scratch, ["agents"]);
    const all = await blitz(scratch, ["agents", "-a"]);
    const ws = realpathSync(scratch.ws);
    const shape = (text: string): string => text.replaceAll(/\b\d+s\b/g, "0s");
    expect([active.code, shape(active.stdout), active.stderr]).toEqual([
      0,
      `ID    STATE        AGE  COST  WORKSPACE${" ".repeat(ws.length - 9)}  PROMPT\n${id}  waiting (1)  0s   -     ${ws}  make a file\n`,
      "",
    ]);
    expect(shape(all.stdout).split("\n").slice(1, 3)).toEqual([
      `${ended.id}  done         0s   -     ${ws}  and a prompt that is rather longer than the fifty…`,
      `${id}  waiting (1)  0s   -     ${ws}  make a file`,
    ]);
  });

  it("says so on standard error when there is none", async () => {
    const none = await blitz(scratch, ["agents"]);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", "No background runs.\n"]);
    const run = await startRun(scratch, "go");
    await runEnded(service, run.id);
    expect((await blitz(scratch, ["agents"])).stderr).toContain("--all");
  });
});

describe("blitz logs", () => {
  it("prints the events so far and returns, the run going on", async () => {
    const { id, request } = await waitingRun();
    const logs = await blitz(scratch, ["logs", id]);
    expect([logs.code, logs.stdout]).toEqual([0, ""]);
    expect(logs.stderr).toContain(`${id}: make a file\n`);
    expect(logs.stderr).toContain("● create_file a.txt");
    expect(logs.stderr).toContain(`blitz approvals answer ${request} …`);
    expect(logs.stderr).toContain(`${id}: waiting (1) (-f follows it)`);
  });

  it("follows with -f to the end: 0 when it is done", async () => {
    const { id, request } = await waitingRun();
    const logs = begin(scratch, ["logs", "-f", id]);
    const shown = outputOf(logs);
    await until(() => shown.stderr().includes("● create_file"));
    await (await service.attach("cli;other")).answerRequest(request, "once");
    const ended = await logs.done;
    expect([ended.code, ended.stdout]).toEqual([0, "Made it.\n"]);
    expect(ended.stderr).toContain("answered by cli;other: once");
    const again = await blitz(scratch, ["logs", "-f", id]);
    expect([again.code, again.stdout]).toEqual([0, "Made it.\n"]);
  });

  it("ends with 1 when the run failed, with 130 when it was stopped", async () => {
    fake.script({ status: 401, body: { type: "error", error: { type: "authentication_error", message: "no" } } });
    const failed = await startRun(scratch, "go");
    const one = await blitz(scratch, ["logs", "-f", failed.id]);
    expect(one.code).toBe(1);
    expect(one.stderr).toMatch(/^blitz: .*no/m);
    fake.script({ text: "x", hold: new Promise(() => undefined) });
    const stopped = await startRun(scratch, "go");
    const following = begin(scratch, ["logs", "-f", stopped.id]);
    const shown = outputOf(following);
    await until(() => shown.stderr().includes("Running since"));
    await service.client.stopBackground(stopped.id);
    expect((await following.done).code).toBe(130);
  });

  it("says how a run ended whose events are no longer kept", async () => {
    fake.script({ text: "x", hold: new Promise(() => undefined) });
    const { id } = await startRun(scratch, "go");
    await until(() => fake.requests.length === 1);
    await service.kill("SIGKILL");
    service = await startService(scratch);
    await runEnded(service, id);
    const logs = await blitz(scratch, ["logs", "-f", id]);
    expect(logs.code).toBe(1);
    expect(logs.stderr).toContain(`${id}: failed. Its events are no longer kept`);
    expect(logs.stderr).toContain("its session can be resumed");
  });
});

describe("blitz attach", () => {
  it("off a terminal only watches, and ends as the run does", async () => {
    const { id, request } = await waitingRun();
    const attached = begin(scratch, ["attach", id]);
    const shown = outputOf(attached);
    await until(() => shown.stderr().includes(request));
    expect((await (await service.attach()).pendingRequests()).map((one) => one.id)).toEqual([request]);
    await (await service.attach("cli;other")).answerRequest(request, "once");
    const ended = await attached.done;
    expect([ended.code, ended.stdout]).toEqual([0, "Made it.\n"]);
    expect(ended.stderr).toContain("Waiting since");
  });

  it("follows a session by its ID, as stream-json: state, session, events, requests, result (CLI-21, CLI-26)", async () => {
    const { session, request } = await waitingRun();
    const attached = begin(scratch, ["attach", session, "--output-format", "stream-json"]);
    const shown = outputOf(attached);
    await until(() => shown.stdout().includes('"approval_request","id"'));
    await until(() => jsonLines(shown.stdout()).some((line) => line["type"] === "approval_request"));
    await (await service.attach("cli;other")).answerRequest(request, "deny");
    const ended = await attached.done;
    const lines = jsonLines(ended.stdout);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(lines[0]).toMatchObject({ type: "state", session_id: session, phase: "waiting" });
    expect(lines[0]?.["requests"]).toMatchObject([{ type: "approval_request", id: request }]);
    expect(lines[1]).toEqual({ type: "session", session_id: session, model: "anthropic/fake-model", agent: "blitz" });
    expect(lines.find((line) => line["type"] === "approval_request")).toMatchObject({
      id: request,
      tool: "create_file",
      kind: "write_file",
      targets: ["a.txt"],
      must_ask: false,
    });
    expect(lines.find((line) => line["type"] === "request_resolved")).toEqual({
      type: "request_resolved",
      id: request,
      outcome: "answered",
      by: "cli;other",
    });
    expect(lines.map((line) => line["type"])).toContain("tool_result");
    expect(lines.at(-1)).toMatchObject({ type: "result", session_id: session, result: "Made it.", exit_code: 0 });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("leaves on %s with 130, the turn going on (CL-22)", async (signal) => {
    const { id, request } = await waitingRun();
    const attached = begin(scratch, ["attach", id]);
    const shown = outputOf(attached);
    await until(() => shown.stderr().includes(request));
    attached.child.kill(signal);
    const ended = await attached.done;
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining(`Left ${id}: it goes on`)]);
    const backend = await service.attach();
    await backend.answerRequest(request, "once");
    await runEnded(service, id);
    expect(has("a.txt")).toBe(true);
  });

  it("says that nothing runs in a session that is at rest", async () => {
    const { id: sessionId } = await (await service.attach()).newSession();
    fake.script({ text: "x" });
    await (await service.attach()).run(sessionId, { text: "go" }, { onEvent: () => undefined });
    await service.kill("SIGTERM");
    service = await startService(scratch);
    const attached = await blitz(scratch, ["attach", sessionId]);
    expect([attached.code, attached.stderr]).toEqual([0, `No turn runs in ${sessionId}.\n`]);
  });
});

describe("blitz stop", () => {
  it("stops a run, prints how it ended and how to go on", async () => {
    const { id, session } = await waitingRun();
    const stop = await blitz(scratch, ["stop", id]);
    expect([stop.code, stop.stdout.replace(/\d+s/, "0s")]).toEqual([
      0,
      `${id}: stopped after 0s.\nGo on in its session: blitz --resume=${session}\n`,
    ]);
    const backend = await service.attach();
    await waiting(backend, 0);
    expect(has("a.txt")).toBe(false);
    const resumed = await blitz(scratch, ["exec", `--resume=${session}`, "go on"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "Made it.\n"]);
    expect(fake.requests.at(-1)?.text).toContain("make a file");
  });
});

describe("blitz approvals (BEY-42)", () => {
  it("lists what waits here, with --all in every open workspace", async () => {
    const { session, request } = await waitingRun();
    const list = await blitz(scratch, ["approvals"]);
    const lines = list.stdout.replaceAll(/\b\d+s\b/g, "0s").split("\n");
    expect([list.code, lines[0]?.split(/\s{2,}/)]).toEqual([0, ["ID", "SESSION", "KIND", "AGE", "EXPIRES", "WHAT"]]);
    expect(lines[1]?.split(/\s{2,}/).slice(0, 4)).toEqual([request, session, "write_file", "0s"]);
    expect(lines[1]).toContain("a.txt");
    const elsewhere = { args: ["approvals", "-c", scratch.cfg, "-d", scratch.base] };
    const { startBlitz } = await import("./run-blitz.js");
    const none = await startBlitz(scratch, elsewhere.args).done;
    expect([none.code, none.stdout]).toEqual([0, ""]);
    expect(none.stderr).toContain("--all");
    const all = await startBlitz(scratch, [...elsewhere.args, "--all"]).done;
    expect(all.stdout).toContain(request);
    expect(all.stdout).toContain(realpathSync(scratch.ws));
    expect(await service.client.listWorkspaces()).toEqual([realpathSync(scratch.ws)]);
  });

  it("answers an approval; a later answer is told which one counts", async () => {
    const { id, request } = await waitingRun();
    const first = await blitz(scratch, ["approvals", "answer", request, "once"]);
    expect([first.code, first.stdout]).toEqual([0, "Your answer counts: once\n"]);
    await runEnded(service, id);
    expect(has("a.txt")).toBe(true);
    const second = await blitz(scratch, ["approvals", "answer", request, "deny"]);
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toMatch(/^Answered already, by cli;process \d+: once\n$/);
  });

  it("answers a question by an option's key, or with text", async () => {
    const question = call("ask_user_question", {
      question: "Which colour?",
      options: ["Red", "Blue"],
    });
    for (const words of [undefined, ["rather", "green"]]) {
      fake.script({ parts: [question] }, { text: "Fine." });
      const { id } = await startRun(scratch, "ask me");
      const [request] = await waiting(await service.attach());
      if (request === undefined || !("question" in request)) throw new Error("no question was asked");
      const key = request.question.options[1]?.key ?? "";
      const answered = await blitz(scratch, ["approvals", "answer", request.id, ...(words ?? [key])]);
      expect([answered.code, answered.stdout]).toEqual([0, `Your answer counts: ${words?.join(" ") ?? key}\n`]);
      await runEnded(service, id);
      expect(fake.requests.at(-1)?.text).toContain(words === undefined ? "Blue" : "rather green");
    }
  });

  it("watches: shows each as it comes, off a terminal without asking, until it is left", async () => {
    const watch = begin(scratch, ["approvals", "--all", "watch"]);
    const shown = outputOf(watch);
    await until(() => shown.stderr().includes("Watching every open workspace"));
    const { session, request } = await waitingRun();
    await until(() => shown.stdout().includes(request));
    expect(shown.stdout()).toContain(`${request}  write_file  ${session}`);
    await (await service.attach()).answerRequest(request, "deny");
    await until(() => shown.stderr().includes(`${request}: no longer waits`));
    watch.child.kill("SIGINT");
    expect((await watch.done).code).toBe(130);
  });

  it.each([
    ["a word that is no decision", ["maybe"], /once, session, always, deny, not "maybe"/],
    ["two words", ["once", "more"], /not "once more"/],
    ["no answer", [], /an answer is missing/],
  ])("refuses %s, and the request goes on waiting", async (_name, words, message) => {
    const { request } = await waitingRun();
    const run = await blitz(scratch, ["approvals", "answer", request, ...words]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect((await (await service.attach()).pendingRequests()).map((one) => one.id)).toEqual([request]);
  });
});

describe("an ID nobody knows is a usage error", () => {
  it.each([
    [["logs", "bg-99"], /no background run bg-99/],
    [["logs", "-f", "bg-99"], /no background run bg-99/],
    [["attach", "bg-99"], /no background run bg-99/],
    [["attach", "session-20260101-000000-00000000"], /no session session-20260101/],
    [["stop", "bg-99"], /no background run bg-99/],
    [["approvals", "answer", "0123", "once"], /no request 0123 waits/],
  ])("%j", async (args, message) => {
    const run = await blitz(scratch, args);
    expect([run.code, run.stdout, run.stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

describe("a command line they don't take is a usage error", () => {
  it.each([
    [["agents", "x"], /agents takes no x/],
    [["logs"], /which background run/],
    [["attach"], /which background run or session/],
    [["attach", "--output-format", "json", "bg-1"], /takes text, stream-json/],
    [["stop", "bg-1", "bg-2"], /one background run at a time/],
    [["approvals", "show"], /list, watch or answer/],
    [["approvals", "list", "x"], /takes no x/],
    [["approvals", "answer"], /which request/],
    [["approvals", "answer", "--all", "x", "once"], /--all/],
  ])("%j", async (args, message) => {
    const run = await blitz(scratch, args);
    expect([run.code, run.stdout, run.stderr]).toEqual([2, "", expect.stringMatching(message)]);
    expect(run.stderr).toContain("--help' for usage.");
  });
});
