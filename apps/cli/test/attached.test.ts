// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, type Running, type Scratch, startBlitz } from "./run-blitz.js";
import { reportOf, until } from "./scene.js";
import { startService, type TestService } from "./start-service.js";

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

const exec = (...args: readonly string[]): Running =>
  startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, ...args]);
const json = async (...args: readonly string[]) => {
  const finished: Finished = await exec("--output-format", "json", ...args).done;
  return { ...finished, report: reportOf(finished) };
};

describe("a run while the service answers", () => {
  it("attaches to it, says so, and prints the same as one without it (CLI-14, CL-02)", async () => {
    fake.script({ text: "Hello." }, { text: "Hello." });
    const attached = await exec("go").done;
    expect(attached).toMatchObject({ code: 0, stdout: "Hello.\n", stderr: expect.stringContaining("Attached to") });
    const { report } = await json("--continue", "again");
    expect(report).toMatchObject({ result: "Hello.", exit_code: 0 });
    const local = await exec("--local", "go").done;
    expect(local).toMatchObject({ code: 2, stderr: expect.stringContaining("open") });
    const listed = await startBlitz(scratch, ["sessions", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect(listed.stdout).toContain(report.session_id);
  });

  it("sets the workspace's effort and agency, says so, and later runs have them (CLI-11)", async () => {
    scratch.configure("openai", fake.url);
    fake.script({ text: "One." }, { text: "Two." }, { text: "Three." });
    await json("go");
    const changed = await exec("--effort", "high", "--agency", "low", "go").done;
    expect(changed).toMatchObject({ code: 0, stderr: expect.stringContaining("hold for every client") });
    await json("go");
    const asked = fake.requests.map(({ body }) => body as { reasoning?: object; instructions: string });
    expect(asked.map((one) => one.reasoning)).toEqual([undefined, { effort: "high" }, { effort: "high" }]);
    expect(asked[0]?.instructions).not.toBe(asked[1]?.instructions);
    expect(asked[2]?.instructions).toBe(asked[1]?.instructions);
  });

  it("has each exit code a run has without it (20)", async () => {
    const read = { type: "call" as const, name: "list_files", args: {} };
    fake.script({ parts: [read] });
    expect((await json("--max-turns", "1", "go")).report).toMatchObject({
      exit_code: 3,
      error: expect.stringContaining("1"),
    });
    fake.script({ status: 400, body: { type: "error", error: { type: "invalid_request_error", message: "no" } } });
    expect((await json("go")).code).toBe(1);
    expect((await exec("--agent", "nobody", "go").done).code).toBe(2);
    expect((await exec("--resume=session-20200101-000000-00000000", "go").done).code).toBe(2);
  });

  it("says that the service doesn't see this shell's keys when no model is set up there", async () => {
    writeFileSync(path.join(scratch.cfg, ".env.toml"), "");
    const run = startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, "go"], {
      env: { ANTHROPIC_API_KEY: "only-here-0000000" },
    });
    expect(await run.done).toMatchObject({ code: 1, stderr: expect.stringContaining("--local") });
    expect((await run.done).stderr).not.toContain("only-here");
  });

  it("writes the instruction file, and later prompts are told what is in it (MEM-22)", async () => {
    const create = { type: "call" as const, name: "create_file", args: { path: "BLITZ.md", content: "Run make." } };
    fake.script({ parts: [create] }, { text: "Written." }, { text: "Yes." });
    const args = ["init", "-c", scratch.cfg, "-d", scratch.ws, "--allow", "write(BLITZ.md)"];
    expect(await startBlitz(scratch, args).done).toMatchObject({ code: 0, stdout: "Written.\n" });
    await json("go on");
    expect(fake.requests.map(({ text }) => text.includes("### BLITZ.md"))).toEqual([false, false, true]);
  });

  it("refuses what it can't ask, since nobody could answer here (CLI-16)", async () => {
    const create = { type: "call" as const, name: "create_file", args: { path: "a.txt", content: "x" } };
    fake.script({ parts: [create] }, { text: "Refused." });
    expect((await json("go")).report).toMatchObject({ result: "Refused.", exit_code: 0 });
    expect(existsSync(path.join(scratch.ws, "a.txt"))).toBe(false);
  });

  it.each([
    ["SIGTERM cancels the turn", "SIGTERM", false],
    ["SIGINT cancels the turn", "SIGINT", false],
    ["SIGHUP leaves it to the service", "SIGHUP", true],
  ] as const)("%s (CLI-19)", async (_name, signal, goesOn) => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "All of it.", holdBody: hold.promise });
    const run = exec("--output-format", "json", "go");
    await until(() => fake.requests.length === 1);
    run.child.kill(signal);
    expect((await run.done).code).toBe(130);
    hold.resolve();
    expect(await fake.requests[0]?.closed).toBe(goesOn ? "finished" : "aborted");
  });

  it("ends with a message and exit 1 when the service is killed under it; its session goes on (T-SVC-1)", async () => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "never", hold: hold.promise });
    const run = exec("--output-format", "json", "go");
    await until(() => fake.requests.length === 1);
    await service.kill("SIGKILL");
    const finished = await run.done;
    expect(reportOf(finished)).toMatchObject({ exit_code: 1, error: expect.stringContaining("service") });
    hold.resolve();
    fake.script({ text: "Again." });
    const next = await exec("--local", "--output-format", "json", "--continue", "go on").done;
    expect(reportOf(next)).toMatchObject({ result: "Again.", session_id: reportOf(finished).session_id });
  });

  it("runs by itself when the service is gone but its socket was left behind", async () => {
    await service.kill("SIGKILL");
    fake.script({ text: "Alone." });
    expect(await exec("go").done).toMatchObject({ code: 0, stdout: "Alone.\n" });
  });
});

describe("a session while the service answers", () => {
  const session = (): Running =>
    startBlitz(scratch, ["-i", "-c", scratch.cfg, "-d", scratch.ws, "go"], { openInput: true });

  it("attaches to it, and says so once (CL-02, TUI-01)", async () => {
    fake.script({ text: "Hello." });
    const run = session();
    run.child.stdin?.end();
    const { code, stdout, stderr } = await run.done;
    expect([code, stdout]).toEqual([0, expect.stringContaining("Hello.\n")]);
    expect(`${stdout}${stderr}`.match(/Attached to/g)).toHaveLength(1);
  });

  it.each([
    ["SIGINT cancels the turn", "SIGINT", "aborted"],
    ["SIGTERM leaves it to the service", "SIGTERM", "finished"],
    ["SIGHUP leaves it to the service", "SIGHUP", "finished"],
  ] as const)("%s (TUI-31, 67)", async (_name, signal, closed) => {
    const hold = Promise.withResolvers<void>();
    fake.script({ text: "All of it.", holdBody: hold.promise });
    const run = session();
    await until(() => fake.requests.length === 1);
    run.child.kill(signal);
    run.child.stdin?.end();
    expect((await run.done).code).toBe(signal === "SIGINT" ? 0 : 130);
    hold.resolve();
    expect(await fake.requests[0]?.closed).toBe(closed);
  });
});
