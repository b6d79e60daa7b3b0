// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, execBlitz, HAS_SANDBOX, type Scratch, startBlitz } from "./run-blitz.js";

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

const put = (name: string, text: string): void => writeFileSync(path.join(scratch.ws, name), text);
const get = (name: string): string => readFileSync(path.join(scratch.ws, name), "utf8");
const call = (name: string, args: object) => ({ type: "call" as const, name, args });
/** Commands run unasked, also those no rule can cover. */
const AUTO_APPROVE: string = "[tools]\nauto_approve_commands = true\n";
/** A write no sandbox lets through. */
const OUTSIDE: string = HAS_SANDBOX ? " && touch /etc/blitz-outside" : "";
const usage = { input: 100, cached: 20, output: 10 };

interface Result {
  readonly session_id: string;
  readonly result: string;
  readonly exit_code: number;
  readonly error?: string;
  readonly usage: Record<string, number>;
  readonly tool_calls?: readonly { readonly name: string; readonly result: Record<string, unknown> }[];
}
/** What the Responses API is asked with. */
interface Asked {
  readonly instructions: string;
  readonly reasoning?: { readonly effort: string };
}
const parse = (stdout: string): Result => JSON.parse(stdout) as Result;

describe("every wire", () => {
  it.each(["anthropic", "openai", "gemini", "ollama"] as const)(
    "%s: reads, edits, runs a command in the sandbox, reports JSON with usage, goes on after kill -9",
    async (provider) => {
      scratch.configure(provider, fake.url);
      put("a.txt", "one\n");
      fake.script(
        { parts: [call("read_file", { path: "a.txt" }), call("list_files", {})], usage },
        {
          parts: [call("replace_in_file", { path: "a.txt", target_content: "one", replacement_content: "two" })],
          usage,
        },
        {
          parts: [call("run_shell_command", { command: `cat a.txt && touch out.txt${OUTSIDE}` })],
          usage,
        },
        { text: "Edited.", usage },
      );
      const first = await execBlitz(scratch, [
        "--output-format",
        "json",
        "--permission-mode",
        "accept-edits",
        "--allow",
        "shell(cat)",
        "--allow",
        "shell(touch)",
        "go",
      ]);
      expect(first.stderr).toBe("");
      const result = parse(first.stdout);
      expect(result).toMatchObject({
        result: "Edited.",
        exit_code: 0,
        usage: { input_tokens: 400, cached_input_tokens: 80, output_tokens: 40, model_calls: 4 },
      });
      expect(result.tool_calls?.map((one) => one.name)).toEqual([
        "read_file",
        "list_files",
        "replace_in_file",
        "run_shell_command",
      ]);
      expect(get("a.txt")).toBe("two\n");
      expect(existsSync(path.join(scratch.ws, "out.txt"))).toBe(true);
      expect(result.tool_calls?.[3]?.result["output"]).toMatch(
        HAS_SANDBOX ? /^two\ntouch: .*Read-only file system/ : /^two\n$/,
      );

      const hang = startBlitz(scratch, [
        "exec",
        "--local",
        "-c",
        scratch.cfg,
        "-d",
        scratch.ws,
        "--continue",
        "--permission-mode",
        "accept-edits",
        "--allow",
        "shell",
        "again",
      ]);
      const started = path.join(scratch.ws, "started");
      fake.script({
        parts: [
          call("read_file", { path: "a.txt" }),
          call("run_shell_command", { command: "touch started; sleep 60" }),
        ],
        usage,
      });
      while (!existsSync(started)) await new Promise((resolve) => setImmediate(resolve));
      hang.child.kill("SIGKILL");
      expect((await hang.done).signal).toBe("SIGKILL");

      fake.script({ text: "Back.", usage });
      const back = await execBlitz(scratch, ["--output-format", "json", "--continue", "and now?"]);
      expect(back.stderr).toBe("");
      expect(parse(back.stdout)).toMatchObject({ session_id: result.session_id, result: "Back.", exit_code: 0 });
      const last = fake.requests.at(-1)?.text ?? "";
      for (const part of ["go", "Edited.", "again", "and now?", "interrupted: the tool's outcome is unknown"])
        expect(last).toContain(part);
    },
  );
});

describe("exec", () => {
  it("answers a prompt as text: the answer on standard output, usage on standard error (CLI-20)", async () => {
    fake.script({ text: "Hello.", usage });
    const run = await execBlitz(scratch, ["say", "hello"]);
    expect([run.code, run.stdout]).toEqual([0, "Hello.\n"]);
    expect(run.stderr).toMatch(/^100 tokens in \(20 cached\), 10 out, 1 model call, /);
  });

  it("streams JSON lines, the result last (CLI-21)", async () => {
    fake.script({ text: "Hi.", usage });
    const run = await execBlitz(scratch, ["--output-format", "stream-json"], { stdin: "from a pipe" });
    const lines = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]).toMatchObject({ type: "session", model: "anthropic/fake-model", agent: "blitz" });
    expect(lines.at(-1)).toMatchObject({ type: "result", result: "Hi." });
    expect(fake.requests[0]?.text).toContain("from a pipe");
  });

  it("refuses what nobody can approve, and the run goes on (CLI-16, APR-10)", async () => {
    put("a.txt", "one\n");
    fake.script(
      {
        parts: [
          call("create_file", { path: "n.txt", content: "x" }),
          call("run_shell_command", { command: "touch m" }),
          call("read_file", { path: ".env" }),
        ],
      },
      { text: "Refused." },
    );
    put(".env", "CANARY");
    const { tool_calls, exit_code } = parse((await execBlitz(scratch, ["--output-format", "json", "go"])).stdout);
    expect(exit_code).toBe(0);
    for (const one of tool_calls ?? []) expect(one.result["error"]).toEqual(expect.any(String));
    expect(readdirSync(scratch.ws).sort()).toEqual([".env", "a.txt"]);
    expect(fake.requests[1]?.text).not.toContain("CANARY");
  });

  it("deny rules hold in every mode (APR-10)", async () => {
    fake.script(
      {
        parts: [
          call("create_file", { path: "docs/n.txt", content: "x" }),
          call("run_shell_command", { command: "echo a && rm x" }),
        ],
      },
      {},
    );
    const run = await execBlitz(scratch, [
      "--output-format",
      "json",
      "--permission-mode",
      "accept-edits",
      "--allow",
      "shell",
      "--deny",
      "write(docs/**)",
      "--deny",
      "shell(rm)",
      "go",
    ]);
    const [write, shell] = parse(run.stdout).tool_calls ?? [];
    expect(write?.result["error"]).toContain("write(docs/**)");
    expect(shell?.result["error"]).toMatch(/^blocked by command policy:/);
  });

  it("asks with the effort and the agency it is given, that run alone (CLI-11, MDL-74)", async () => {
    scratch.configure("openai", fake.url, '[model_settings."fake-model"]\nreasoning_effort = "low"\n');
    fake.script({ text: "One." }, { text: "Two." });
    await execBlitz(scratch, ["--effort", "high", "--agency", "extreme", "go"]);
    await execBlitz(scratch, ["go"]);
    const [first, second] = fake.requests.map(({ body }) => body as Asked);
    expect([first?.reasoning, second?.reasoning]).toEqual([{ effort: "high" }, { effort: "low" }]);
    expect(first?.instructions).not.toBe(second?.instructions);
    const refused = await execBlitz(scratch, ["--effort", "huge", "go"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--effort takes minimal, low, medium") });
  });

  it.each([
    ["--max-turns", "1", 3, /maximum turns reached \(1 model calls\)/],
    ["--timeout", "300ms", 3, /time limit/],
  ])("ends at %s %s with exit code 3 (WS-29)", async (flag, value, code, message) => {
    fake.script({ parts: [call("list_files", {})] }, { hold: new Promise(() => undefined) });
    const run = await execBlitz(scratch, ["--output-format", "json", flag, value, "go"]);
    expect(run.code).toBe(code);
    expect(parse(run.stdout).error).toMatch(message);
  });

  it("ends before a call its money doesn't cover (WS-29, ENG-130)", async () => {
    scratch.configure(
      "anthropic",
      fake.url,
      '[pricing."fake-model"]\ninput_per_mtok = 1000.0\noutput_per_mtok = 1000.0\n',
    );
    const run = await execBlitz(scratch, ["--output-format", "json", "--max-cost-usd", "0.01", "go"]);
    expect([run.code, fake.requests.length]).toEqual([3, 0]);
    expect(parse(run.stdout).error).toBe("the turn reached its cost limit ($0.01)");
  });

  it("is cancelled by SIGINT with exit code 130, its command gone, its session resumable (CLI-19, T-SH-1)", async () => {
    scratch.configure("anthropic", fake.url, AUTO_APPROVE);
    fake.script({ parts: [call("run_shell_command", { command: "echo started > pid; sleep 60" })] });
    const run = startBlitz(scratch, [
      "exec",
      "--local",
      "-c",
      scratch.cfg,
      "-d",
      scratch.ws,
      "--output-format",
      "json",
      "go",
    ]);
    const pidFile = path.join(scratch.ws, "pid");
    while (!existsSync(pidFile) || statSync(pidFile).size === 0) await new Promise((resolve) => setImmediate(resolve));
    run.child.kill("SIGINT");
    const ended = await run.done;
    expect(ended.code).toBe(130);
    expect(parse(ended.stdout)).toMatchObject({ error: "interrupted", exit_code: 130 });
    fake.script({ text: "On." });
    expect(parse((await execBlitz(scratch, ["--output-format", "json", "--continue", "go on"])).stdout).result).toBe(
      "On.",
    );
    expect(fake.requests.at(-1)?.text).toContain("command cancelled");
  });

  it.each([
    [
      "a provider's refusal of the key",
      {
        status: 401,
        body: { type: "error", error: { type: "authentication_error", message: "bad key test-key-0000000000" } },
      },
    ],
    [
      "a cut answer",
      {
        text: "Half",
        end: "cut" as const,
        holdBody: Promise.resolve(),
        split: (bytes: Uint8Array) => [bytes.subarray(0, bytes.length / 2)],
      },
    ],
  ])("fails with exit code 1 and one line for %s, no key in it (MDL-30)", async (_name, answer) => {
    fake.script(answer);
    const run = await execBlitz(scratch, ["--output-format", "json", "go"]);
    expect(run.code).toBe(1);
    expect(parse(run.stdout)).toMatchObject({ exit_code: 1, error: expect.any(String) });
    expect(run.stdout + run.stderr).not.toContain("test-key-0000000000");
    expect(run.stderr).toBe("");
  });

  it.each([
    ["an unknown model provider's prefix is a model name", ["-m", "", "go"], 1],
    ["an unknown agent names the nearest", ["-a", "blits", "go"], 2],
    ["an unknown mode", ["--permission-mode", "bypas", "go"], 2],
    ["a bad rule", ["--allow", "shel(x)", "go"], 2],
    ["an unknown session", ["--resume=session-x", "go"], 2],
    ["no session to continue", ["--continue", "go"], 2],
    ["a folder that isn't there", ["-d", "/nowhere/at/all", "go"], 2],
  ])("refuses %s", async (name, args, code) => {
    const run = await execBlitz(scratch, args);
    if (name.startsWith("an unknown model")) return expect(run.code).toBe(0);
    expect(run.code).toBe(code);
    expect(run.stderr).toMatch(/^blitz: \S.*\n/);
    expect(run.stderr).not.toContain("    at ");
    expect(fake.requests).toEqual([]);
  });

  it("names file, line and key of malformed settings and exits 2 (02 §10)", async () => {
    writeFileSync(path.join(scratch.cfg, ".env.toml"), '[blitz]\npermission_mode = "bypas"\n');
    const run = await execBlitz(scratch, ["go"]);
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringMatching(/^blitz: .*\.env\.toml:2:1: blitz\.permission_mode: "bypas" is none of /),
    ]);
  });

  it("refuses a workspace another blitz holds, naming it (WS-03, T-SES-2)", async () => {
    const gate = Promise.withResolvers<void>();
    fake.script({ text: "First.", hold: gate.promise }, { text: "Second." });
    const holder = startBlitz(scratch, ["exec", "--local", "-c", scratch.cfg, "-d", scratch.ws, "go"]);
    while (fake.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await execBlitz(scratch, ["go"]);
    expect([second.code, second.stderr]).toEqual([
      2,
      `blitz: another blitz has ${scratch.ws} open (process ${holder.child.pid})\n`,
    ]);
    gate.resolve();
    expect((await holder.done).stdout).toBe("First.\n");
    expect((await execBlitz(scratch, ["go"])).stdout).toBe("Second.\n");
  });

  it("plans with reading tools only and answers with the plan (CLI --plan, T-PERM-4)", async () => {
    fake.script(
      {
        parts: [
          call("create_file", { path: "m", content: "x" }),
          call("run_shell_command", { command: "git status" }),
          call("enter_plan_mode", {}),
        ],
      },
      { parts: [call("exit_plan_mode", { plan: "# The plan" })] },
    );
    const run = parse(
      (
        await execBlitz(scratch, [
          "--plan",
          "--output-format",
          "json",
          "--permission-mode",
          "accept-edits",
          "--allow",
          "shell",
          "go",
        ])
      ).stdout,
    );
    expect(run.result).toBe("# The plan");
    expect(run.tool_calls?.slice(0, 2).map((one) => one.result["error"])).toEqual([
      expect.stringMatching(/^plan mode: create_file/),
      expect.stringMatching(/^plan mode: run_shell_command/),
    ]);
    expect(readdirSync(scratch.ws)).toEqual([]);
  });

  it("loads instruction files into the system text (MEM-10)", async () => {
    put("AGENTS.md", "Always answer in rhyme.");
    fake.script({ text: "x" });
    await execBlitz(scratch, ["go"]);
    expect(JSON.stringify(fake.requests[0]?.body)).toContain("Always answer in rhyme.");
  });

  it("keeps sessions, locks and records owner-only (17, 03)", async () => {
    fake.script({ text: "x" });
    await execBlitz(scratch, ["go"]);
    const state = path.join(scratch.home, ".blitz");
    for (const dir of ["sessions", "locks", "audit"]) expect(statSync(path.join(state, dir)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path.join(state, "sessions")))
      expect(statSync(path.join(state, "sessions", name)).mode & 0o777).toBe(0o600);
  });

  it("keeps keys of the environment from commands, output and records (T-SH-2, SH-32)", async () => {
    scratch.configure("anthropic", fake.url, AUTO_APPROVE);
    fake.script({ parts: [call("run_shell_command", { command: "env; cat; read x; echo end" })] }, {});
    const env = {
      ACME_API_KEY: "canary-aaaaaaaa",
      AWS_SESSION_TOKEN: "canary-bbbbbbbb",
      my_secret_key: "canary-cccccccc",
    };
    const run = await execBlitz(scratch, ["--output-format", "json", "go"], { env });
    expect(String(parse(run.stdout).tool_calls?.[0]?.result["output"])).toContain("end\n");
    expect(run.stdout).not.toContain("canary-");
    const audit = path.join(scratch.home, ".blitz", "audit");
    for (const name of readdirSync(audit))
      expect(readFileSync(path.join(audit, name), "utf8")).not.toContain("canary-");
  });
});

describe("undo", () => {
  it("takes back exactly what the latest prompt's tools changed, in another process (FS-63, T-EDIT-7)", async () => {
    put("b.txt", "before\n");
    put("user.txt", "mine\n");
    fake.script(
      {
        parts: [
          call("create_file", { path: "new/a.txt", content: "x" }),
          call("replace_in_file", { path: "b.txt", target_content: "before", replacement_content: "after" }),
        ],
      },
      {},
    );
    await execBlitz(scratch, ["--permission-mode", "accept-edits", "change things"]);
    expect(get("b.txt")).toBe("after\n");
    const undo = await startBlitz(scratch, ["undo", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect([undo.code, undo.stdout]).toEqual([0, "Undone: change things\n  restored b.txt\n  restored new/a.txt\n"]);
    expect([get("b.txt"), get("user.txt"), existsSync(path.join(scratch.ws, "new/a.txt"))]).toEqual([
      "before\n",
      "mine\n",
      false,
    ]);
    const again = await startBlitz(scratch, ["undo", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect([again.code, again.stderr]).toEqual([1, "Nothing to undo.\n"]);
  });

  it("changes nothing when a file was changed since, and says which (FS-63)", async () => {
    put("b.txt", "before\n");
    fake.script(
      { parts: [call("replace_in_file", { path: "b.txt", target_content: "before", replacement_content: "after" })] },
      {},
    );
    await execBlitz(scratch, ["--permission-mode", "accept-edits", "go"]);
    put("b.txt", "by hand\n");
    const undo = await startBlitz(scratch, ["undo", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect([undo.code, undo.stderr]).toEqual([1, expect.stringContaining("b.txt")]);
    expect(get("b.txt")).toBe("by hand\n");
    expect((await startBlitz(scratch, ["undo", "--force", "-c", scratch.cfg, "-d", scratch.ws]).done).code).toBe(0);
    expect(get("b.txt")).toBe("before\n");
  });
});

describe("the other commands", () => {
  it("blitz demo checks every step and exits 0 (BEY-01)", async () => {
    const run = await startBlitz(scratch, ["demo"]).done;
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    expect(run.stdout.match(/✓/g)).toHaveLength(6);
    expect(readdirSync(scratch.home).filter((name) => name !== ".blitz")).toEqual([]);
  });

  it("blitz sessions lists this workspace's sessions", async () => {
    fake.script({ text: "x" });
    await execBlitz(scratch, ["--name", "A title", "go"]);
    const run = await startBlitz(scratch, ["sessions", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect(run.stdout).toMatch(/^session-\S+ {2}\S+ {5}2 {2}A title\n$/);
  });

  it("finds a local Ollama when nothing is set up, and says what there is otherwise (BEY-02)", async () => {
    mkdirSync(path.join(scratch.base, "empty"));
    const run = await startBlitz(scratch, ["exec", "-c", path.join(scratch.base, "empty"), "-d", scratch.ws, "go"])
      .done;
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("blitz demo")]);
    writeFileSync(path.join(scratch.base, "empty", ".env.toml"), `[llm.ollama]\nbase_url = "${fake.url}/v1"\n`);
    fake.script({ text: "Local." });
    const found = await startBlitz(scratch, ["exec", "-c", path.join(scratch.base, "empty"), "-d", scratch.ws, "go"])
      .done;
    expect([found.code, found.stdout, found.stderr.split("\n")[0]]).toEqual([
      0,
      "Local.\n",
      "Using ollama/fake-model (local Ollama).",
    ]);
  });

  it.each([["--version"], ["-v"]])("%s prints the version", async (flag) => {
    const run = await startBlitz(scratch, [flag]).done;
    expect([run.code, run.stdout]).toEqual([0, "blitz dev\n"]);
  });

  it("--help names every command", async () => {
    const run = await startBlitz(scratch, ["--help"]).done;
    for (const name of ["exec", "demo", "undo", "sessions"]) expect(run.stdout).toContain(`  ${name}`);
  });
});
