// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@blitz/api";
import { afterEach, describe, expect, it } from "vitest";
import { createExec, type Exec, type SandboxStatus } from "../../exec/index.js";
import { mintGrant } from "../../grant/mint/index.js";
import { compilePolicy, judgeCommand } from "../../policy/index.js";
import type { AskedAction, CallContext, ToolEvent } from "../call/index.js";
import { shellTools, type ShellToolDeps } from "./index.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Asked = AskedAction;

interface Setup {
  readonly dir: string;
  readonly asked: Asked[];
  readonly events: ToolEvent[];
  run(args: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}

async function setUp(changes: Partial<ShellToolDeps> = {}, allowed = true): Promise<Setup> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "blitz-shell-")));
  folders.push(dir);
  const sandbox = {
    mode: "off",
    platform: process.platform,
    writableRoots: [dir],
    readOnlyRoots: [],
    extraWritable: [],
    protectedDirs: [],
    blocked: [],
    home: dir,
    network: true,
  } as const;
  const exec = await createExec({ sandbox, env: { PATH: process.env["PATH"] }, scrubEnv: [] });
  const policy = compilePolicy({
    allow: [],
    deny: ["rm *"],
    autoApprove: ["echo"],
    rules: { deny: [], ask: ["make"], allow: [] },
    readOnlyDefaults: false,
    gitGuarded: false,
    isSystemProgram: () => true,
  });
  const [tool] = shellTools({
    exec,
    judge: (command) => judgeCommand(command, policy),
    workspace: dir,
    resolveCwd: async (cwd) => {
      if (cwd.startsWith("..")) throw new Error("it is outside the workspace");
      return join(dir, cwd);
    },
    timeoutSeconds: 120,
    ...changes,
  });
  const asked: Asked[] = [];
  const events: ToolEvent[] = [];
  return {
    dir,
    asked,
    events,
    run: async (args, signal = new AbortController().signal) => {
      const context: CallContext = {
        sessionId: "s",
        turnId: "t",
        callId: "c",
        agent: "root",
        signal,
        emit: (event) => events.push(event),
        approve: async (request) => {
          asked.push(request);
          return allowed
            ? { allowed: true, grant: mintGrant(request.actions) }
            : { allowed: false, why: "the user declined" };
        },
      };
      return (await tool?.run(args, context)) ?? {};
    },
  };
}

/** An exec that only notes what it is asked to run. */
function noted(status: Partial<SandboxStatus> = {}): {
  readonly exec: ShellToolDeps["exec"];
  readonly requests: Parameters<Exec["run"]>[0][];
} {
  const requests: Parameters<Exec["run"]>[0][] = [];
  return {
    requests,
    exec: {
      run: async (request) => {
        requests.push(request);
        return { output: "", exitCode: 0, durationMs: 1, truncated: false };
      },
      status: () => ({ mode: "auto", active: true, unconfined: false, lines: [], ...status }),
    },
  };
}

describe("run_shell_command", () => {
  it("runs a command and returns what came of it (SH-03)", async () => {
    const { run, dir } = await setUp();
    expect(await run({ command: "pwd; echo x >&2; exit 3" })).toEqual({
      output: `${dir}\nx\n`,
      exit_code: 3,
      duration_ms: expect.any(Number),
      is_background: false,
    });
  });

  it.each(["", "  \n "])("refuses the empty command %j (SH-01)", async (command) => {
    const { run, asked } = await setUp();
    expect(await run({ command })).toEqual({ error: "the command is empty" });
    expect(asked).toEqual([]);
  });

  it("runs in a directory inside the roots, and refuses another before asking (SH-01)", async () => {
    const { run, dir, asked } = await setUp();
    mkdirSync(join(dir, "sub"));
    expect(await run({ command: "pwd", cwd: "sub" })).toMatchObject({ output: `${dir}/sub\n` });
    expect(asked[0]?.detail).toContain("(in sub) pwd");
    expect(await run({ command: "pwd", cwd: "../x" })).toEqual({
      error: expect.stringContaining("outside the workspace"),
    });
    expect(asked).toHaveLength(1);
  });

  it("asks nobody and runs nothing when the policy denies it (SH-02)", async () => {
    const { run, asked, dir } = await setUp();
    expect(await run({ command: "touch x; rm -rf y" })).toEqual({
      error: expect.stringMatching(/^blocked by command policy: .*rm \*/),
    });
    expect([asked, readdirSync(dir)]).toEqual([[], []]);
  });

  it("puts exactly the command to the gate, with the policy's reason (SH-02)", async () => {
    const { run, asked, dir } = await setUp();
    await run({ command: "touch x" });
    await run({ command: "echo x" });
    await run({ command: "make all" });
    const common = {
      tool: "run_shell_command",
      kind: "run_command",
      policyChecked: true,
      keyLabel: "this exact command here",
    };
    expect(asked).toEqual([
      {
        ...common,
        detail: expect.stringMatching(/^touch x \(.*not on the list.*\)$/),
        key: `cmd:${dir}\0touch x`,
        actions: [{ kind: "run_command", target: "touch x" }],
      },
      {
        ...common,
        detail: "echo x",
        key: `cmd:${dir}\0echo x`,
        actions: [{ kind: "run_command", target: "echo x" }],
        preApproved: "policy",
      },
      {
        ...common,
        detail: expect.stringContaining("make"),
        key: `cmd:${dir}\0make all`,
        actions: [{ kind: "run_command", target: "make all" }],
        mustAsk: true,
      },
    ]);
  });

  it("asks each time, without a key, while no sandbox confines it (APR-62)", async () => {
    const { exec } = noted({ active: false, unconfined: true });
    const { run, asked } = await setUp({ exec });
    await run({ command: "echo x" });
    expect(asked).toEqual([
      {
        tool: "run_shell_command",
        kind: "run_command",
        detail: "echo x (no sandbox confines it)",
        actions: [{ kind: "run_command", target: "echo x" }],
        policyChecked: true,
        mustAsk: true,
      },
    ]);
  });

  it("returns why it was refused, and runs nothing", async () => {
    const { run, dir } = await setUp({}, false);
    expect(await run({ command: "touch x" })).toEqual({ error: "the user declined" });
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each<[unknown, number]>([
    [undefined, 120],
    [5, 5],
    [0, 1],
    [-3, 1],
    [1e12, 1_800],
    [Number.NaN, 120],
  ])("a time limit of %s is %s s (SH-04)", async (asked, seconds) => {
    const { exec, requests } = noted();
    const { run } = await setUp({ exec });
    await run({ command: "ls", ...(asked === undefined ? {} : { timeout_seconds: asked }) });
    expect(requests[0]?.timeoutMs).toBe(seconds * 1_000);
  });

  it("tells a time limit from a cancelled turn (SH-04)", async () => {
    const { run } = await setUp();
    expect(await run({ command: "echo a; sleep 30", timeout_seconds: 1 })).toMatchObject({
      output: "a\n",
      exit_code: -1,
      error: "command timed out after 1 s",
    });
    expect(await run({ command: "sleep 30" }, AbortSignal.abort())).toMatchObject({
      exit_code: -1,
      error: "command cancelled",
    });
  });

  it("notes checkpoints around each command, one command of a turn after the other (SH-70)", async () => {
    const log: string[] = [];
    const { run, dir } = await setUp({
      beforeCommand: async (turnId, command) => void log.push(`before ${turnId} ${command} ${readdirSync(dir).length}`),
      afterCommand: async (_turnId, command) => void log.push(`after ${command} ${readdirSync(dir).length}`),
    });
    await Promise.all([run({ command: "touch a" }), run({ command: "touch b" })]);
    expect(log).toEqual(["before t touch a 0", "after touch a 1", "before t touch b 1", "after touch b 2"]);
  });

  it("doesn't run when the checkpoint fails, and tells the result when only its end does (SH-70)", async () => {
    const failing = async (): Promise<void> => Promise.reject(new Error("disk full"));
    const before = await setUp({ beforeCommand: failing });
    await expect(before.run({ command: "touch x" })).rejects.toThrow("disk full");
    expect(readdirSync(before.dir)).toEqual([]);
    const after = await setUp({ afterCommand: failing });
    expect(await after.run({ command: "echo x" })).toMatchObject({ output: "x\n", exit_code: 0 });
    expect(after.events).toEqual([{ type: "notice", text: expect.stringContaining("disk full"), error: true }]);
  });

  it("gives git's guard to read-only git alone, and judges it again after what ran before it (APR-58)", async () => {
    const { exec, requests } = noted();
    let isPlain = true;
    const judge = (command: string) => {
      const isGit = command === "git status" && isPlain;
      return {
        verdict: "auto_approve",
        reason: "",
        mustAsk: false,
        ...(isGit ? { readOnlyGit: true as const } : {}),
      } as const;
    };
    const beforeCommand = async (_turnId: string, command: string): Promise<void> => {
      if (command === "break it") isPlain = false;
    };
    const { run } = await setUp({ exec, judge, beforeCommand, gitEnvironment: { GUARD: "on" } });
    await Promise.all([run({ command: "git status" }), run({ command: "ls" })]);
    expect(requests.map(({ command, env }) => [command, env])).toEqual([
      ["git status", { GUARD: "on" }],
      ["ls", undefined],
    ]);
    const [, after] = await Promise.all([run({ command: "break it" }), run({ command: "git status" })]);
    expect(after).toEqual({ error: expect.stringContaining("changed meanwhile") });
    expect(requests).toHaveLength(3);
  });

  it("has a short description: it goes with every request", async () => {
    const [tool] = shellTools({
      exec: noted().exec,
      judge: () => ({ verdict: "deny", reason: "", mustAsk: false }),
      workspace: "/w",
      resolveCwd: async () => "/w",
      timeoutSeconds: 120,
    });
    expect(Buffer.byteLength(tool?.description ?? "")).toBeLessThanOrEqual(350);
  });
});
