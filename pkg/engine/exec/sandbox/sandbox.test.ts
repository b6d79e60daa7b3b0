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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, describe, expect, it } from "vitest";
import { mintGrant } from "../../grant/mint/index.js";
import { type CommandResult, createExec, type SandboxOptions } from "../index.js";
import { bubblewrapArguments } from "./bubblewrap.js";
import { openSandbox } from "./os-sandbox.js";
import { seatbeltProfile } from "./seatbelt.js";

const folders: string[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "blitz-sandbox-")));
  folders.push(dir);
  return dir;
}

function optionsFor(dir: string, changes: Partial<SandboxOptions> = {}): SandboxOptions {
  return {
    mode: "required",
    platform: process.platform,
    writableRoots: [dir],
    readOnlyRoots: [],
    extraWritable: [],
    protectedDirs: [],
    blocked: [],
    home: "/nowhere",
    network: true,
    ...changes,
  };
}

async function run(command: string, sandbox: SandboxOptions): Promise<CommandResult> {
  await using exec = await createExec({ sandbox, env: { PATH: process.env["PATH"] }, scrubEnv: [] });
  const grant = mintGrant([{ kind: "run_command", target: command }]);
  const cwd = sandbox.writableRoots[0] ?? "/";
  return await exec.run({ grant, command, cwd, timeoutMs: 20_000 }, new AbortController().signal);
}

const { active } = (await openSandbox(optionsFor(tmpdir(), { mode: "auto" }))).status();
if (!active) process.stderr.write("NOTICE: no OS sandbox here, its tests don't run\n");

describe.runIf(active && process.platform === "linux")("commands under bubblewrap", () => {
  it("write inside the workspace and extra places, and nowhere else (SH-21, 23)", async () => {
    const [dir, extra, outside] = [folder(), folder(), folder()];
    const options = optionsFor(dir, { extraWritable: [extra, "/nowhere/at/all"] });
    const { output } = await run(
      `touch in; touch ${extra}/in; touch ${outside}/out; touch /etc/blitz-test; cat /etc/hostname > /dev/null && echo reads`,
      options,
    );
    expect([readdirSync(dir), readdirSync(extra), readdirSync(outside)]).toEqual([["in"], ["in"], []]);
    expect(existsSync("/etc/blitz-test")).toBe(false);
    expect(output).toContain("reads");
  });

  it("can't write a read-only root inside the workspace, nor Blitz's configuration (SH-21, 66)", async () => {
    const dir = folder();
    for (const name of ["vendored/deep", ".blitz"]) mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, ".blitz", "settings.toml"), "old");
    const options = optionsFor(dir, { readOnlyRoots: [join(dir, "vendored")], protectedDirs: [join(dir, ".blitz")] });
    await run(
      "touch vendored/x vendored/deep/y; echo new > .blitz/settings.toml; rm .blitz/settings.toml; mv .blitz elsewhere; mv vendored other",
      options,
    );
    expect(readdirSync(dir).sort()).toEqual([".blitz", "vendored"]);
    expect(readdirSync(join(dir, "vendored"))).toEqual(["deep"]);
    expect(readFileSync(join(dir, ".blitz", "settings.toml"), "utf8")).toBe("old");
  });

  it("can write a root inside a read-only one: the deepest decides", async () => {
    const dir = folder();
    mkdirSync(join(dir, "ro", "rw"), { recursive: true });
    await run(
      "touch ro/a; touch ro/rw/b",
      optionsFor(dir, { writableRoots: [dir, join(dir, "ro", "rw")], readOnlyRoots: [join(dir, "ro")] }),
    );
    expect([readdirSync(join(dir, "ro")), readdirSync(join(dir, "ro", "rw"))]).toEqual([["rw"], ["b"]]);
  });

  it("start, and can't read or write what is blocked under any of its names (T-SBX-1, SH-24)", async () => {
    const parent = folder();
    const dir = join(parent, "w");
    for (const name of ["w/conf", "gitdata", "out", "w/a b\nc", "w/deep/er"])
      mkdirSync(join(parent, name), { recursive: true });
    const secrets = ["w/conf/real.env", "out/key", "w/a b\nc/key", "w/deep/er/x.pem"];
    for (const name of secrets) writeFileSync(join(parent, name), "SECRET");
    symlinkSync("../gitdata", join(dir, ".git"));
    symlinkSync("conf/real.env", join(dir, ".env"));
    symlinkSync("../out", join(dir, "keys"));
    symlinkSync("/usr", join(dir, "sys.env"));
    symlinkSync("/nowhere", join(dir, "gone.pem"));
    const options = optionsFor(dir, {
      blocked: [".env", "*.env", "keys/", "absent", "/absent/place", "*.pem", "a b\nc"],
    });
    const { output, exitCode } = await run(
      `true && echo started; cat .env conf/real.env keys/key ${parent}/out/key 'a b\nc/key' deep/er/x.pem /proc/self/root${dir}/conf/real.env;
       for p in /proc/[0-9]*; do cat $p/cwd/conf/real.env $p/root${dir}/conf/real.env; done; grep -r SECRET . ${parent}
       echo X > conf/real.env; echo X > .env; touch keys/new ${parent}/out/new; rm -f conf/real.env; rm -rf ${parent}/out`,
      options,
    );
    expect(output).toContain("started");
    expect([output.includes("SECRET"), typeof exitCode]).toEqual([false, "number"]);
    for (const name of secrets) expect(readFileSync(join(parent, name), "utf8")).toBe("SECRET");
    expect(readdirSync(join(parent, "out"))).toEqual(["key"]);
  });

  it("can't rename a directory above a blocked place to get at it with the next command (T-SBX-1)", async () => {
    const dir = folder();
    mkdirSync(join(dir, "a/b/secret"), { recursive: true });
    writeFileSync(join(dir, "a/b/secret/key"), "SECRET");
    const options = optionsFor(dir, { blocked: ["a/b/secret"] });
    await run("mv a c; mv a/b d; mv a/b/secret e; touch a/b/fine", options);
    expect(readdirSync(join(dir, "a/b")).sort()).toEqual(["fine", "secret"]);
    expect(readFileSync(join(dir, "a/b/secret/key"), "utf8")).toBe("SECRET");
    expect((await run("cat */*/secret/key */secret/key */key", options)).output).not.toContain("SECRET");
  });

  it("see only their own processes, and leave none in a session of its own (SH-63)", async () => {
    const dir = folder();
    const { output } = await run(
      `setsid sleep 47.${process.pid} & ls -d /proc/[0-9]* | wc -l; ls /proc/${process.pid} 2>&1`,
      optionsFor(dir),
    );
    expect(output).toContain("No such file");
    const running = (): boolean =>
      readdirSync("/proc").some((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(`sleep\0` + `47.${process.pid}`);
        } catch {
          return false; // no process, or gone meanwhile
        }
      });
    await expect.poll(running).toBe(false);
  });

  it("can't reach the service's socket or the secrets, also when the workspace is the home (SH-66)", async () => {
    const home = folder();
    mkdirSync(join(home, ".blitz/run"), { recursive: true });
    writeFileSync(join(home, ".blitz/secrets.toml"), "SECRET");
    const socket = join(home, ".blitz/run/blitzd.sock");
    const server = createServer((connection) => connection.end("REACHED"));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const options = optionsFor(home, {
      home,
      protectedDirs: [join(home, ".blitz")],
      blocked: ["~/.blitz/run", "~/.blitz/secrets.toml"],
    });
    const connect = `${process.execPath} -e 'require("net").connect(process.argv[1]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))' ${socket}`;
    const { output } = await run(`${connect}; cat .blitz/secrets.toml; mv .blitz other; touch .blitz/new`, options);
    expect(output).toContain("ENOENT");
    expect(output).not.toMatch(/REACHED|SECRET/);
    expect(readdirSync(join(home, ".blitz")).sort()).toEqual(["run", "secrets.toml"]);
  });

  it("have no network when that is off (SH-21)", async () => {
    const dir = folder();
    const server = createServer((connection) => connection.end("REACHED"));
    servers.push(server);
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      }),
    );
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;
    expect((await run(command, optionsFor(dir))).output).toBe("REACHED");
    expect((await run(command, optionsFor(dir, { network: false }))).output).not.toContain("REACHED");
  });

  it("see what was blocked since the last command (SH-24)", async () => {
    const dir = folder();
    const options = optionsFor(dir, { blocked: [".env"] });
    await using exec = await createExec({ sandbox: options, env: { PATH: process.env["PATH"] }, scrubEnv: [] });
    const cat = (): Promise<CommandResult> => {
      const command = "cat sub/.env";
      const grant = mintGrant([{ kind: "run_command", target: command }]);
      return exec.run({ grant, command, cwd: dir, timeoutMs: 20_000 }, new AbortController().signal);
    };
    expect((await cat()).exitCode).toBe(1);
    mkdirSync(join(dir, "sub"));
    writeFileSync(join(dir, "sub/.env"), "SECRET");
    expect((await cat()).output).not.toContain("SECRET");
  });

  it("say what they are confined by (SH-65)", async () => {
    const dir = folder();
    const status = (await openSandbox(optionsFor(dir, { network: false, blocked: [".env"] }))).status();
    expect(status).toMatchObject({ mode: "required", active: true, unconfined: false });
    expect(status.lines.join("\n")).toMatch(/bubblewrap[\s\S]*network off[\s\S]*\.env/);
  });
});

describe("openSandbox", () => {
  it("is off by the user's choice (SH-20)", async () => {
    const sandbox = await openSandbox(optionsFor("/w", { mode: "off" }));
    expect(sandbox.status()).toMatchObject({ mode: "off", active: false, unconfined: false });
    expect(await sandbox.wrap(["a", "b"], new AbortController().signal)).toEqual(["a", "b"]);
  });

  it("is unconfined where there is none, and refuses to be required there (SH-20, 25)", async () => {
    const status = (await openSandbox(optionsFor("/w", { mode: "auto", platform: "win32" }))).status();
    expect(status).toMatchObject({ mode: "auto", active: false, unconfined: true });
    expect(status.lines.join()).toContain("every command asks");
    const error: unknown = await openSandbox(optionsFor("/w", { platform: "win32" })).catch(
      (reason: unknown) => reason,
    );
    expect(isReason(error, "SANDBOX_UNAVAILABLE")).toBe(true);
  });
});

describe("bubblewrapArguments", () => {
  it("mounts by depth, lets read-only win, and hides what is blocked last (SH-23)", () => {
    const spec = { writable: ["/w/a/deep", "/w", "/c"], readOnly: ["/w/a", "/c"], network: false };
    const args = bubblewrapArguments(spec, { files: ["/w/.env"], dirs: ["/w/keys"], pinned: ["/w/x", "/w/a/y"] }, true);
    expect(args.join(" ")).toBe(
      "--die-with-parent --ro-bind / / --dev-bind /dev /dev --unshare-pid --proc /proc " +
        "--bind /w /w --bind /c /c --ro-bind /c /c --bind /w/x /w/x --ro-bind /w/a /w/a --bind /w/a/deep /w/a/deep " +
        "--tmpfs /w/keys --remount-ro /w/keys --ro-bind /dev/null /w/.env --unshare-net",
    );
  });
});

describe("seatbeltProfile", () => {
  it("orders rules so that what is blocked wins, and quotes what it is given (SH-22)", () => {
    const spec = { writable: ['/w "x"\\y'], readOnly: ["/w/ro"], network: false };
    expect(
      seatbeltProfile(spec, { paths: ["/home/.blitz/run", "/home/k/*.key"], names: ["*.p?m", "a(b"] }),
    ).toMatchInlineSnapshot(`
      "(version 1)
      (allow default)
      (deny file-write*)
      (allow file-write* (subpath "/w \\"x\\"\\\\y"))
      (allow file-write* (literal "/dev/null"))
      (allow file-write* (literal "/dev/zero"))
      (allow file-write* (literal "/dev/tty"))
      (allow file-write* (literal "/dev/dtracehelper"))
      (allow file-write* (regex #"^/dev/ttys[0-9]+$") (regex #"^/dev/fd/"))
      (deny file-write* (subpath "/w/ro"))
      (deny network*)
      (allow network* (remote unix-socket))
      (deny file-read* file-write* (subpath "/home/.blitz/run"))
      (deny network-outbound (subpath "/home/.blitz/run"))
      (deny file-read* file-write* (regex #"^/home/k/[^/]*\\.key($|/)"))
      (deny network-outbound (regex #"^/home/k/[^/]*\\.key($|/)"))
      (deny file-read* file-write* (regex #"/[^/]*\\.p[^/]m($|/)"))
      (deny file-read* file-write* (regex #"/a\\(b($|/)"))"
    `);
  });
});
