// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { isReason } from "@blitz/api";
import { SETTINGS } from "@blitz/config";
import { afterEach, describe, expect, it } from "vitest";
import { mintGrant } from "../grant/mint/index.js";
import { childEnvironment } from "./environment.js";
import {
  createExec,
  type CommandRequest,
  type CommandResult,
  type Exec,
  type ExecOptions,
  type SandboxOptions,
} from "./index.js";
import { createOutputCapture } from "./output-capture.js";

/** What users who set nothing have scrubbed. */
const SCRUB = SETTINGS.find(({ key }) => key === "sandbox.scrub_env")?.default as readonly string[];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function workspace(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "blitz-exec-")));
  folders.push(dir);
  return dir;
}

function sandboxFor(dir: string, mode: SandboxOptions["mode"] = "off"): SandboxOptions {
  return {
    mode,
    platform: process.platform,
    writableRoots: [dir],
    readOnlyRoots: [],
    extraWritable: [],
    protectedDirs: [],
    blocked: [],
    home: dir,
    network: true,
  };
}

interface Setup extends AsyncDisposable {
  readonly exec: Exec;
  readonly dir: string;
  /** In every process the test's commands start. */
  readonly mark: string;
  run(command: string, changes?: Partial<CommandRequest>, signal?: AbortSignal): Promise<CommandResult>;
}

async function setUp(mode: SandboxOptions["mode"] = "off", changes: Partial<ExecOptions> = {}): Promise<Setup> {
  const dir = workspace();
  const mark = randomUUID();
  const env = { PATH: process.env["PATH"], HOME: dir, MARK: mark };
  const exec = await createExec({ sandbox: sandboxFor(dir, mode), env, scrubEnv: SCRUB, ...changes });
  return {
    exec,
    dir,
    mark,
    run: (command, more = {}, signal = new AbortController().signal) =>
      exec.run({ grant: grantFor(command), command, cwd: dir, timeoutMs: 20_000, ...more }, signal),
    [Symbol.asyncDispose]: () => exec[Symbol.asyncDispose](),
  };
}

const grantFor = (command: string) => mintGrant([{ kind: "run_command", target: command }]);

/** Commands of living processes with the mark; a zombie has no environment any more. */
function survivors(mark: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`MARK=${mark}`);
      } catch {
        return false; // gone meanwhile
      }
    })
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1");
      } catch {
        return "";
      }
    })
    .filter((command) => command !== "");
}
const expectNoSurvivor = async (mark: string): Promise<void> =>
  expect.poll(() => survivors(mark), { timeout: 3_000 }).toEqual([]);

const MODES = (await sandboxWorks()) ? (["off", "required"] as const) : (["off"] as const);
async function sandboxWorks(): Promise<boolean> {
  await using exec = await createExec({ sandbox: sandboxFor(tmpdir(), "auto"), env: {}, scrubEnv: [] });
  const { active, lines } = exec.status();
  if (!active) process.stderr.write(`NOTICE: sandbox tests don't run here: ${lines.join("; ")}\n`);
  return active;
}

describe.each(MODES)("run with sandbox.shell = %s", (mode) => {
  it("returns output in order, exit code and duration, in the given directory (SH-03, 04)", async () => {
    await using t = await setUp(mode);
    const result = await t.run("echo one; echo two >&2; echo three; pwd; exit 7");
    expect(result).toEqual({
      output: `one\ntwo\nthree\n${t.dir}\n`,
      exitCode: 7,
      durationMs: expect.any(Number),
      truncated: false,
    });
  });

  it("closes the input, so cat and read see its end at once (T-SH-2)", async () => {
    await using t = await setUp(mode);
    expect((await t.run("cat; read x; echo end")).output).toBe("end\n");
  });

  it.each<[string, string]>([
    ["a sleeping child that holds the output", "sleep 30 & echo done"],
    ["a child that goes on writing", "(while :; do echo x; sleep .1; done) & echo done"],
    ["a child that ignores signals", "(trap '' TERM HUP INT; sleep 30) & echo done"],
    ["a child of a child", "bash -c 'sleep 30 & sleep 30 & disown -a; echo done'"],
  ])(
    "ends with its command, although there is %s, and leaves nothing behind (T-SH-1, SH-05, 31)",
    async (_name, command) => {
      await using t = await setUp(mode);
      const { output, exitCode } = await t.run(command);
      expect([output.includes("done"), exitCode]).toEqual([true, 0]);
      await expectNoSurvivor(t.mark);
    },
  );

  it("kills grandchildren that ignore signals at the time limit and keeps the output so far (T-SH-1, SH-04)", async () => {
    await using t = await setUp(mode);
    const result = await t.run(`echo before; trap '' TERM; bash -c "trap '' TERM; sleep 60" & wait`, {
      timeoutMs: 500,
    });
    expect(result).toMatchObject({ output: "before\n", exitCode: -1, error: "command timed out after 0.5 s" });
    await expectNoSurvivor(t.mark);
  });

  it("kills the group when the turn is cancelled, and says so (SH-04)", async () => {
    await using t = await setUp(mode);
    const turn = new AbortController();
    const running = t.run("echo started > started; sleep 60 & sleep 60", {}, turn.signal);
    await expect.poll(() => readdirSync(t.dir)).toContain("started");
    turn.abort();
    expect(await running).toMatchObject({ exitCode: -1, error: "command cancelled" });
    await expectNoSurvivor(t.mark);
  });

  it("kills what runs when it is closed, and starts nothing afterwards", async () => {
    const t = await setUp(mode);
    const running = t.run("touch started; sleep 60");
    await expect.poll(() => readdirSync(t.dir)).toContain("started");
    await t.exec[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ exitCode: -1 });
    expect(await t.run("touch later")).toMatchObject({ exitCode: -1 });
    expect(readdirSync(t.dir)).toEqual(["started"]);
    await expectNoSurvivor(t.mark);
  });

  it("takes the whole group along when Blitz is killed (T-SH-1, SH-31)", async () => {
    const dir = workspace();
    const mark = randomUUID();
    const blitz = startBlitz(dir, mode, mark, "touch started; trap '' TERM HUP; sleep 60 & sleep 60");
    await expect.poll(() => readdirSync(dir), { timeout: 20_000 }).toContain("started");
    expect(survivors(mark).length).toBeGreaterThan(0);
    blitz.kill("SIGKILL");
    await expectNoSurvivor(mark);
  });

  it("reports a command killed by a signal as 128 + signal (SH-04)", async () => {
    await using t = await setUp(mode);
    expect((await t.run("bash -c 'kill -TERM $$'; exit $?")).exitCode).toBe(143);
    expect((await t.run("kill -SEGV $$")).exitCode).toBe(139);
  });

  it("keeps credentials out of the environment, in any case of letters (T-SH-2, SH-32)", async () => {
    const env = {
      PATH: process.env["PATH"],
      ACME_API_KEY: "canary1",
      AWS_SESSION_TOKEN: "canary2",
      my_secret_key: "canary3",
      KEPT: "kept",
    };
    await using t = await setUp(mode, { env });
    const { output } = await t.run("env; cat /proc/self/environ", { env: { ADDED: "added", OTHER_SECRET: "canary4" } });
    expect(output).not.toContain("canary");
    expect(output).toMatch(/KEPT=kept[\s\S]*ADDED=added|ADDED=added[\s\S]*KEPT=kept/);
  });

  it("doesn't hand the guard's descriptor to the command (SH-31)", async () => {
    await using t = await setUp(mode);
    expect((await t.run("true <&3")).output).toContain("3: Bad file descriptor");
  });
});

function startBlitz(dir: string, mode: string, mark: string, command: string): ChildProcess {
  const loader = join(dir, "hooks.mjs");
  writeFileSync(
    loader,
    `import { registerHooks } from "node:module"; registerHooks({ resolve: (s, c, next) => { try { return next(s, c); } catch (e) { if (s.endsWith(".js")) return next(s.slice(0, -3) + ".ts", c); throw e; } } });`,
  );
  const program = join(dir, "blitz.mjs");
  writeFileSync(
    program,
    `import { createExec } from ${JSON.stringify(join(import.meta.dirname, `index${extname(import.meta.filename)}`))};
     import { mintGrant } from ${JSON.stringify(join(import.meta.dirname, `../grant/mint/index${extname(import.meta.filename)}`))};
     const sandbox = ${JSON.stringify({ ...sandboxFor(dir), mode })};
     const exec = await createExec({ sandbox, env: { PATH: process.env.PATH, MARK: ${JSON.stringify(mark)} }, scrubEnv: [] });
     const command = ${JSON.stringify(command)};
     await exec.run({ grant: mintGrant([{ kind: "run_command", target: command }]), command, cwd: ${JSON.stringify(dir)}, timeoutMs: 60000 }, new AbortController().signal);`,
  );
  const args = [
    ...(import.meta.filename.endsWith(".ts") ? ["--conditions=blitz-source"] : []),
    "--import",
    loader,
    program,
  ];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

describe("run", () => {
  it("refuses a command its grant doesn't cover, and runs nothing", async () => {
    await using t = await setUp();
    for (const grant of [
      grantFor("touch other"),
      mintGrant([{ kind: "write_file", target: "touch x" }]),
      {} as CommandRequest["grant"],
    ]) {
      const error: unknown = await t.run("touch x", { grant }).catch((reason: unknown) => reason);
      expect(isReason(error, "INTERNAL")).toBe(true);
    }
    expect(readdirSync(t.dir)).toEqual([]);
  });

  it("doesn't start for a turn that is over", async () => {
    await using t = await setUp();
    expect(await t.run("touch x", {}, AbortSignal.abort())).toMatchObject({ exitCode: -1, error: "command cancelled" });
    expect(readdirSync(t.dir)).toEqual([]);
  });

  it.each<[string, string, Partial<CommandRequest>, string]>([
    ["a NUL character", "echo \0", {}, "NUL"],
    ["a directory that is gone", "ls", { cwd: "/nowhere/at/all" }, "the directory is gone"],
  ])("says why it can't start: %s (SH-04)", async (_name, command, changes, why) => {
    await using t = await setUp();
    expect(await t.run(command, changes)).toMatchObject({ exitCode: 1, error: expect.stringContaining(why) });
  });

  it("names bash when it is missing (07 §7)", async () => {
    await using t = await setUp("off", { env: { PATH: "/nowhere" } });
    expect(await t.run("ls")).toMatchObject({ exitCode: 1, error: expect.stringContaining("bash") });
  });

  it("keeps 100 KiB and throws the rest away while it runs (SH-03)", async () => {
    await using t = await setUp();
    const { output, truncated, exitCode } = await t.run("head -c 3000000 /dev/zero | tr '\\0' x; echo end");
    expect([truncated, exitCode]).toEqual([true, 0]);
    expect(output.replace(/^x+/, "")).toBe("\n[output cut: 2897604 of 3000004 bytes are not shown]");
    expect(/^x+/.exec(output)?.[0]).toHaveLength(102_400);
  });
});

describe("createOutputCapture", () => {
  it.each([
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ])("never cuts through %s (SH-03)", (character, bytes) => {
    for (let cut = 0; cut < bytes; cut++) {
      const capture = createOutputCapture(3 + cut);
      capture.add(Buffer.from(`abc${character}d`));
      expect(capture.text()).toMatch(/^abc\n\[output cut: /);
    }
    const whole = createOutputCapture(3 + bytes);
    whole.add(Buffer.from(`abc${character}d`));
    expect(whole.text().startsWith(`abc${character}\n[output cut: 1 of`)).toBe(true);
  });

  it("puts characters together that come in pieces", () => {
    const capture = createOutputCapture(100);
    for (const byte of Buffer.from("a😀b")) capture.add(Uint8Array.of(byte));
    expect([capture.text(), capture.isTruncated()]).toEqual(["a😀b", false]);
  });
});

describe("childEnvironment", () => {
  it("drops what matches a scrub pattern, whatever its case (SH-32)", () => {
    const names = [
      "OPENAI_API_KEY",
      "x_api_token",
      "DB_SECRET",
      "DB_SECRET_KEY",
      "AWS_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "GOOGLE_APPLICATION_CREDENTIALS",
      "modenv_x",
      "API_KEY_FILE",
      "PATH",
    ];
    const base = Object.fromEntries(names.map((name) => [name, "v"]));
    expect(childEnvironment({ ...base, OLDPWD: "/old" }, { UNSET: undefined }, SCRUB, "/w")).toEqual({
      API_KEY_FILE: "v",
      PATH: "v",
      PWD: "/w",
    });
    expect(childEnvironment({ "A.B": "1", AxB: "2" }, {}, ["a.b"], "/w")).toEqual({ AxB: "2", PWD: "/w" });
  });
});
