// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultEndpoint, isAnswering } from "./index.js";
import { fitsSocketPath } from "./path-limit.js";

describe("defaultEndpoint", () => {
  const home = "/home/ann";
  it.each<[string, NodeJS.Platform, Record<string, string>, string]>([
    ["is below the home", "linux", {}, "/home/ann/.blitz/run/blitz.sock"],
    ["is the same on macOS", "darwin", { BLITZ_SOCKET: "" }, "/home/ann/.blitz/run/blitz.sock"],
    ["is what the environment says", "linux", { BLITZ_SOCKET: "/run/b.sock" }, "/run/b.sock"],
    ["is what the environment says on Windows", "win32", { BLITZ_SOCKET: "\\\\.\\pipe\\mine" }, "\\\\.\\pipe\\mine"],
  ])("%s (SVC-01)", (_name, platform, env, endpoint) => {
    expect(defaultEndpoint({ env, home, platform })).toBe(endpoint);
  });

  it("is a pipe of its own per settings directory and user on Windows (SVC-61)", () => {
    const at = (user: string, configDir?: string): string =>
      defaultEndpoint({
        env: { USERNAME: user },
        home: "C:\\Users\\ann",
        platform: "win32",
        ...(configDir === undefined ? {} : { configDir }),
      });
    const names = [at("ann"), at("bob"), at("ann", "D:\\settings")];
    for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\blitz-[0-9a-f]{24}$/);
    expect(new Set(names).size).toBe(3);
    expect(at("ann")).toBe(at("ann", "C:\\Users\\ann\\.blitz"));
  });
});

describe("fitsSocketPath", () => {
  it.each<[NodeJS.Platform, number]>([
    ["darwin", 103],
    ["linux", 107],
  ])("counts bytes, not characters, on %s (T-SVC-1)", (platform, limit) => {
    const fits = (text: string): boolean => fitsSocketPath(text, platform);
    expect([fits("x".repeat(limit)), fits("x".repeat(limit + 1))]).toEqual([true, false]);
    expect([fits("ü".repeat(limit >> 1)), fits("ü".repeat((limit >> 1) + 1))]).toEqual([true, false]);
  });

  it("has no limit where the endpoint is a pipe", () => {
    expect(fitsSocketPath("x".repeat(200), "win32")).toBe(true);
  });
});

describe("isAnswering", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), "blitz-socket-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("is true while something listens, and closes its connection", async () => {
    const endpoint = path.join(dir, "s");
    const server = createServer().listen(endpoint);
    await once(server, "listening");
    const connected = once(server, "connection");
    expect(await isAnswering(endpoint)).toBe(true);
    const [socket] = (await connected) as [NodeJS.ReadableStream];
    await once(socket.resume(), "end");
    server.close();
    await once(server, "close");
    expect(await isAnswering(endpoint)).toBe(false);
  });

  it.each([
    ["nothing is there", "none"],
    ["a regular file is there", "file"],
    ["its folder is a file", "file/below"],
    ["the path is too long", "x".repeat(120)],
  ])("is false when %s", async (_name, name) => {
    writeFileSync(path.join(dir, "file"), "");
    expect(await isAnswering(path.join(dir, name))).toBe(false);
  });

  it("is false without a path", async () => {
    expect(await isAnswering("")).toBe(false);
  });

  it("doesn't take a socket with a shortened name for one whose path is too long (T-SVC-1)", async () => {
    const long = path.join(dir, "x".repeat(120));
    const server = createServer().listen(Buffer.from(long).subarray(0, 107).toString());
    await once(server, "listening");
    expect(await isAnswering(long)).toBe(false);
    server.close();
  });
});
