// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attachTo, type Blitzd, createPlace, HAS_SANDBOX, type Place, startBlitzd, until } from "./blitzd.js";

let place: Place;
let services: Blitzd[];
beforeEach(async () => {
  place = await createPlace();
  services = [];
});
afterEach(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

async function start(args: readonly string[] = []): Promise<Blitzd> {
  const service = startBlitzd(place, args);
  services.push(service);
  await service.ready;
  return service;
}

/** A program that connects to a socket and says what came of it. */
const CONNECT = `require("node:net").connect(process.argv[2])
  .on("connect", () => { console.log("CONNECTED"); process.exit(); })
  .on("error", (error) => { console.log("REFUSED " + error.code); process.exit(); })`;

const ASK = (socket: string, ...headers: readonly string[]): string[] => [
  "-sS",
  "--max-time",
  "10",
  "--unix-socket",
  socket,
  ...headers.flatMap((header) => ["-H", header]),
  "-H",
  "content-type: application/json",
  "-d",
  "{}",
  "http://blitz/blitz.v1.WorkspaceService/GetServiceInfo",
];
const HAS_CURL: boolean = spawnSync("curl", ["--version"]).status === 0;

describe("the service's socket", () => {
  it("is 0600 in a folder of 0700, and answers curl in JSON (SVC-02, PRT-06)", async () => {
    const service = await start();
    expect(statSync(place.endpoint).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(place.endpoint)).mode & 0o777).toBe(0o700);
    if (!HAS_CURL) return;
    const { stdout } = spawnSync("curl", ASK(place.endpoint), { encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ version: "dev", pid: service.child.pid });
  });

  it.runIf(HAS_CURL).each([
    ["a page's Origin", "Origin: https://evil.example"],
    ["an Origin of null", "Origin: null"],
    ["another Host", "Host: evil.example"],
  ])("refuses %s (SVC-62)", async (_name, header) => {
    await start();
    const { stdout } = spawnSync("curl", [...ASK(place.endpoint, header), "-o", "/dev/null", "-w", "%{http_code}"], {
      encoding: "utf8",
    });
    expect(stdout).toBe("403");
  });

  it.runIf(process.getuid?.() === 0)("can't be reached by another user (SVC-02)", async () => {
    await start();
    const script = path.join(place.base, "connect.cjs");
    writeFileSync(script, CONNECT);
    chmodSync(place.base, 0o755);
    chmodSync(place.home, 0o755);
    const { stdout } = spawnSync(process.execPath, [script, place.endpoint], {
      encoding: "utf8",
      uid: 65_534,
      gid: 65_534,
    });
    expect(stdout.trim()).toBe("REFUSED EACCES");
  });

  it.runIf(HAS_SANDBOX).each([
    ["where it is by default", undefined],
    ["where commands may write", "run/blitz.sock"],
  ])("can't be reached by a sandboxed command: %s (SH-66)", async (_name, inWorkspace) => {
    const endpoint = inWorkspace === undefined ? place.endpoint : path.join(place.ws, inWorkspace);
    if (inWorkspace !== undefined) mkdirSync(path.dirname(endpoint), { mode: 0o700 });
    await start(["--socket", endpoint]);
    place.put("connect.cjs", CONNECT);
    const backend = await attachTo({ ...place, endpoint });
    const command = `${process.execPath} connect.cjs ${endpoint}`;
    place.fake.script({ parts: [{ type: "call", name: "run_shell_command", args: { command } }] }, { text: "Tried." });
    const { id } = await backend.newSession();
    const results: unknown[] = [];
    const done = backend.run(
      id,
      { text: "go" },
      { onEvent: (event) => void (event.type === "tool_result" && results.push(event.result)) },
    );
    await until(async () => (await backend.pendingRequests()).length === 1);
    await backend.answerRequest((await backend.pendingRequests())[0]?.id ?? "", "once");
    await done;
    expect(JSON.stringify(results)).toContain("REFUSED");
    expect(JSON.stringify(results)).not.toContain("CONNECTED");
  });
});

describe("starting", () => {
  it("works after the last one was killed, and refuses a second one with exit 2 (SVC-02, T-SVC-1)", async () => {
    const first = await start();
    const second = startBlitzd(place);
    services.push(second);
    expect(await second.done).toMatchObject({ code: 2, stderr: expect.stringContaining("another service") });
    await first.kill("SIGKILL");
    await start();
  });

  it("lets one of ten at once win; the others exit 2 (T-SVC-1)", async () => {
    const all = Array.from({ length: 10 }, () => startBlitzd(place));
    services.push(...all);
    const won = await Promise.all(
      all.map((service) =>
        Promise.race([service.ready.then(() => true), service.done.then(() => false)]).catch(() => false),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const losers = all.filter((_service, at) => won[at] === false);
    expect(new Set((await Promise.all(losers.map((service) => service.done))).map(({ code }) => code))).toEqual(
      new Set([2]),
    );
  }, 60_000);

  it.each([
    ["an unknown flag", ["--sockt", "x"]],
    ["a word", ["start"]],
    ["a file that is no socket", ["--socket", "FILE"]],
    ["a path that is too long", ["--socket", `/tmp/${"x".repeat(108)}`]],
  ])("exits 2 for %s, saying what is wrong (SVC-00)", async (_name, args) => {
    const file = path.join(place.base, "file");
    writeFileSync(file, "mine");
    const service = startBlitzd(
      place,
      args.map((arg) => (arg === "FILE" ? file : arg)),
    );
    services.push(service);
    const { code, stderr } = await service.done;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^blitzd: ./)]);
    expect(statSync(file).size).toBe(4);
  });

  it("says what is wrong with broken settings, and stops at once on a second signal", async () => {
    place.configure("[blitz\n");
    const broken = startBlitzd(place);
    services.push(broken);
    expect(await broken.done).toMatchObject({ code: 2, stderr: expect.stringContaining(".env.toml") });
    place.configure();
    const service = await start();
    const hold = Promise.withResolvers<void>();
    place.fake.script({ text: "x", hold: hold.promise });
    const backend = await attachTo(place);
    const { id } = await backend.newSession();
    const going = backend.run(id, { text: "go" }, { onEvent: () => undefined }).catch(() => undefined);
    await until(() => place.fake.requests.length === 1);
    service.child.kill("SIGINT");
    service.child.kill("SIGINT");
    expect((await service.done).code).not.toBe(null);
    hold.resolve();
    await going;
  });
});
