// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, PROGRAM, type Scratch, startBlitz } from "./run-blitz.js";
import { until } from "./scene.js";
import { blitz, endpointIn, outputOf, startService, type TestService } from "./start-service.js";

let scratch: Scratch;
let service: TestService | undefined;
beforeEach(() => {
  scratch = createScratch();
  scratch.configure("anthropic", "http://127.0.0.1:1");
});
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  service = undefined;
  scratch[Symbol.dispose]();
});

/** A folder for `PATH` with programs that note what they were called with, and end with a code. */
function fakeSystem(codes: Readonly<Record<string, number>> = {}) {
  const bin = path.join(scratch.base, "bin");
  const calls = path.join(scratch.base, "calls");
  mkdirSync(bin);
  writeFileSync(calls, "");
  for (const name of ["systemctl", "launchctl"]) {
    const cases = Object.entries(codes).map(([words, code]) => `  *"${words}"*) exit ${code} ;;\n`);
    const script = `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> "${calls}"\ncase "$*" in\n${cases.join("")}esac\n`;
    writeFileSync(path.join(bin, name), script);
    chmodSync(path.join(bin, name), 0o755);
  }
  return {
    env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
    calls: (): readonly string[] => readFileSync(calls, "utf8").split("\n").slice(0, -1),
  };
}

const unitFile = (): string => path.join(scratch.home, ".config", "systemd", "user", "blitz.service");
const isBundle: boolean = path.basename(PROGRAM) === "blitz.mjs";
/** Makes the program say it runs on another system. */
const ON_MAC: string = `--import=data:text/javascript,${encodeURIComponent('Object.defineProperty(process, "platform", { value: "darwin" });')}`;

describe.runIf(process.platform === "linux" && isBundle)("blitz service, with systemd", () => {
  it("install registers blitzd, starts it, and says to do it again after an upgrade (SVC-50)", async () => {
    const system = fakeSystem({ "is-active": 3 });
    const run = await blitz(scratch, ["service", "install"], { env: system.env });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toMatch(/^Installed in .*\/blitz\.service: .*\n.*after an upgrade\.\n$/);
    const root = path.resolve(import.meta.dirname, "..", "..", "..");
    expect(readFileSync(unitFile(), "utf8")).toContain(
      `ExecStart="${path.join(root, "bin", "blitzd")}" "--config" "${scratch.cfg}"\n`,
    );
    expect(system.calls()).toEqual([
      "systemctl --user is-active --quiet blitz.service",
      "systemctl --user daemon-reload",
      "systemctl --user enable --now blitz.service",
    ]);
  });

  it("install with the default settings directory and a socket of its own passes on the socket only", async () => {
    const system = fakeSystem();
    const env = { ...system.env, BLITZ_SOCKET: path.join(scratch.base, "s.sock") };
    await startBlitz(scratch, ["service", "install"], { env }).done;
    expect(readFileSync(unitFile(), "utf8")).toContain(`/blitzd" "--socket" "${scratch.base}/s.sock"\n`);
  });

  it("install warns of keys that only this shell has, and writes none (SVC-50)", async () => {
    const system = fakeSystem();
    const env = { ...system.env, OPENAI_API_KEY: "canary-0000000000", ANTHROPIC_API_KEY: "canary-1111111111" };
    const run = await blitz(scratch, ["service", "install"], { env });
    expect([run.code, run.stderr]).toEqual([
      0,
      `OPENAI_API_KEY is set in this shell only: the service won't have it. Put the key into ${scratch.cfg}/.env.toml, as llm.openai.api_key.\n`,
    ]);
    expect(run.stdout + run.stderr + readFileSync(unitFile(), "utf8")).not.toContain("canary");
  });

  it("start, restart and stop go through the item; status says it is installed; uninstall removes it", async () => {
    const system = fakeSystem();
    const { env } = system;
    await blitz(scratch, ["service", "install"], { env });
    const before = system.calls().length;
    for (const [word, said] of [
      ["start", "Started.\n"],
      ["restart", "Restarted.\n"],
    ] as const) {
      const run = await blitz(scratch, ["service", word], { env });
      expect([run.code, run.stdout]).toEqual([0, said]);
    }
    const stop = await blitz(scratch, ["service", "stop"], { env });
    expect([stop.code, stop.stderr]).toEqual([0, "The service isn't running.\n"]);
    expect(system.calls().slice(before)).toEqual([
      "systemctl --user start blitz.service",
      "systemctl --user restart blitz.service",
      "systemctl --user stop blitz.service",
    ]);
    const status = await blitz(scratch, ["service", "status"], { env });
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining(`installed: ${unitFile()}`)]);
    const uninstall = await blitz(scratch, ["service", "uninstall"], { env });
    expect([uninstall.code, existsSync(unitFile())]).toEqual([0, false]);
    expect(system.calls()).toContain("systemctl --user disable --now blitz.service");
    const again = await blitz(scratch, ["service", "uninstall"], { env });
    expect([again.code, again.stderr]).toEqual([0, `Not installed: no ${unitFile()}\n`]);
  });

  it.each(["start", "restart"])("%s without an item says how to get one (SVC-52)", async (word) => {
    const run = await blitz(scratch, ["service", word], { env: fakeSystem().env });
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/isn't installed.*blitz service install.*bin\/blitzd/);
  });

  it("a step that fails is told with what its program ended with", async () => {
    const run = await blitz(scratch, ["service", "install"], { env: fakeSystem({ "enable --now": 5 }).env });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("enable --now blitz.service ended with 5")]);
  });

  it("a system without systemctl is a usage error, and nothing is written", async () => {
    const run = await blitz(scratch, ["service", "install"], { env: { PATH: path.join(scratch.base, "empty") } });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("can't run systemctl")]);
    expect(existsSync(unitFile())).toBe(false);
  });

  it("on macOS it is a launch agent", async () => {
    const system = fakeSystem({ print: 113 });
    const env = { ...system.env, NODE_OPTIONS: ON_MAC };
    const run = await blitz(scratch, ["service", "install"], { env });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    const plist = path.join(scratch.home, "Library", "LaunchAgents", "dev.blitz.service.plist");
    expect(readFileSync(plist, "utf8")).toContain("/bin/blitzd</string>");
    const target = `gui/${process.getuid?.()}`;
    expect(system.calls().at(-1)).toBe(`launchctl bootstrap ${target} ${plist}`);
  });
});

describe("blitz service status", () => {
  it("answering: version, process, since, workspaces; exit 0 (SVC-51)", async () => {
    service = await startService(scratch);
    await service.attach();
    const run = await blitz(scratch, ["service", "status"]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      new RegExp(`^service +running: version dev, process ${service.child.pid}, since \\d{4}-\\S+Z \\(\\d+s\\)\n`),
    );
    expect(run.stdout).toMatch(/^program +\S+\n/m);
    expect(run.stdout).toContain(`workspaces  ${realpathSync(scratch.ws)}\n`);
    expect(run.stdout).toContain(`socket      ${endpointIn(scratch)}\n`);
    expect(run.stdout).toContain("not installed");
  });

  it("not answering: exit 1, and how to start it", async () => {
    const run = await blitz(scratch, ["service", "status"]);
    expect([run.code, run.stdout]).toEqual([1, expect.stringMatching(/^service +not running .*blitz service start/)]);
  });
});

describe("blitz service stop", () => {
  it("without an item asks the service itself to stop", async () => {
    service = await startService(scratch);
    const run = await blitz(scratch, ["service", "stop"]);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining(`Process ${service.child.pid} is stopping`)]);
    expect(await service.kill("SIGCONT")).toBe(0);
    expect((await blitz(scratch, ["service", "stop"])).stderr).toBe("The service isn't running.\n");
  });
});

describe("blitz service logs", () => {
  it("shows the service's records, the newest last, also when it is gone (SVC-06a)", async () => {
    service = await startService(scratch);
    const running = await blitz(scratch, ["service", "logs"]);
    expect([running.code, running.stderr]).toEqual([0, ""]);
    expect(running.stdout).toMatch(/^\S+Z INFO {2}service started version=dev endpoint=\S+ pid=\d+\n/);
    await service.kill("SIGTERM");
    const gone = await blitz(scratch, ["service", "logs"]);
    expect(gone.stdout.split("\n").at(-2)).toMatch(/INFO {2}service stopped$/);
    const last = await blitz(scratch, ["service", "logs", "-n", "1"]);
    expect(last.stdout).toBe(`${gone.stdout.split("\n").at(-2)}\n`);
    expect(last.stderr).toMatch(/\d+ earlier records? not shown/);
    const warnings = await blitz(scratch, ["service", "logs", "--level", "error", "--day", "2026-01-31"]);
    expect([warnings.code, warnings.stdout, warnings.stderr]).toEqual([0, "", expect.stringContaining("No records")]);
  });
});

describe("without a service", () => {
  it.each([
    [["exec", "--bg", "go"]],
    [["agents"]],
    [["logs", "bg-1"]],
    [["attach", "bg-1"]],
    [["stop", "bg-1"]],
    [["approvals"]],
    [["approvals", "watch"]],
    [["approvals", "answer", "0123", "once"]],
  ])("%j fails and names how to start it", async (args) => {
    const run = await blitz(scratch, args);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/^blitz: the Blitz service isn't running .*blitz service start.*bin\/blitzd/);
  });
});

describe("a command line `service` doesn't take is a usage error", () => {
  it.each([
    [[], /service takes install, /],
    [["begin"], /, not begin/],
    [["stop", "now"], /takes no now/],
    [["status", "--day", "2026-01-31"], /--day goes with service logs only/],
    [["logs", "--day", "yesterday"], /--day takes a day/],
    [["logs", "--day", "2026-02-31"], /--day takes a day/],
    [["logs", "--level", "loud"], /takes debug, info, warn, error/],
    [["logs", "-n", "0"], /--lines can't be "0"/],
  ])("%j", async (words, message) => {
    const run = await blitz(scratch, ["service", ...words]);
    expect([run.code, run.stdout, run.stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

/** Only the bundles lie beside each other; compiled by Bazel the programs don't know of one another. */
describe.runIf(isBundle)("blitz serve (SVC-00)", () => {
  it("runs the service's program with the same arguments, passes signals on, ends as it does", async () => {
    const serve = startBlitz(scratch, ["serve", "--config", scratch.cfg]);
    const shown = outputOf(serve);
    await until(() => shown.stderr().includes("listening on "));
    expect((await blitz(scratch, ["service", "status"])).code).toBe(0);
    const second = await startBlitz(scratch, ["serve"]).done;
    expect([second.code, second.stderr]).toEqual([2, expect.stringMatching(/^blitzd: /)]);
    serve.child.kill("SIGTERM");
    expect((await serve.done).code).toBe(0);
    expect(existsSync(endpointIn(scratch))).toBe(false);
  });

  it.each([
    [["--version"], 0, /^blitzd dev\n$/, /^$/],
    [["--help"], 0, /^Usage: blitzd /, /^$/],
    [["--nonsense"], 2, /^$/, /^blitzd: /],
  ])("%j is blitzd's", async (args, code, stdout, stderr) => {
    const run = await startBlitz(scratch, ["serve", ...args]).done;
    expect([run.code, run.stdout, run.stderr]).toEqual([
      code,
      expect.stringMatching(stdout),
      expect.stringMatching(stderr),
    ]);
  });

  it("says so where there is no blitzd", async () => {
    const lone = path.join(scratch.base, "lone", "dist", "cli");
    mkdirSync(path.dirname(lone), { recursive: true });
    cpSync(path.dirname(PROGRAM), lone, { recursive: true });
    const env = { PATH: "/nowhere", HOME: scratch.home };
    const script = path.join(lone, path.basename(PROGRAM));
    const child = spawn(process.execPath, [script, "serve"], { env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, stderr]).toEqual([1, expect.stringContaining("no blitzd beside this program")]);
  });

  it("isn't in the help", async () => {
    const help = (await startBlitz(scratch, ["--help"]).done).stdout;
    expect(help).not.toMatch(/^ {2}serve /m);
    for (const name of ["agents", "attach", "logs", "stop", "approvals", "service"])
      expect(help).toMatch(new RegExp(`^ {2}${name} `, "m"));
  });
});
