// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type Implementation, openRaw, startTestServer } from "./testing/index.js";

const INFO = "/blitz.v1.WorkspaceService/GetServiceInfo";

async function askHttp2(socketPath: string, headers: Readonly<Record<string, string>>): Promise<[number, string]> {
  const session = connectHttp2("http://blitz", { createConnection: () => connect(socketPath) });
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": INFO,
      "content-type": "application/json",
      ...headers,
    });
    const status = new Promise<number>((resolve) => {
      stream.once("close", () => resolve(0));
      stream.once("response", (answer: IncomingHttpHeaders) => resolve(Number(answer[":status"])));
    });
    stream.end("{}");
    let body = "";
    for await (const chunk of stream) body += String(chunk);
    if ((await status) === 0) throw new Error("no answer");
    return [await status, body];
  } finally {
    session.destroy();
  }
}

function countedCalls(): { readonly calls: Implementation; readonly count: () => number } {
  let count = 0;
  return { calls: { getServiceInfo: () => ({ pid: ++count }) }, count: () => count };
}

describe("a server", () => {
  it.each([
    ["POST", INFO, { Origin: "https://evil.example" }],
    ["POST", INFO, { Origin: "null" }],
    ["OPTIONS", INFO, { Origin: "http://localhost", "Access-Control-Request-Method": "POST" }],
    ["GET", `${INFO}?encoding=json&message={}`, { Origin: "" }],
  ])("refuses %s with an Origin over HTTP/1.1: %s %o (SVC-62)", async (method, path, headers) => {
    const { calls, count } = countedCalls();
    await using served = await startTestServer(calls);
    using raw = await openRaw(served.socketPath);
    const lines = Object.entries({ Host: "blitz", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    expect(await raw.answer()).toMatchObject({ status: 403, body: "requests from web pages are refused\n" });
    expect(count()).toBe(0);
  });

  it.each(["evil.example", "127.0.0.1", "blitz.evil.example", "localhost:80:80", "blitz."])(
    "refuses the host %s over both versions (SVC-62)",
    async (host) => {
      const { calls, count } = countedCalls();
      await using served = await startTestServer(calls);
      using raw = await openRaw(served.socketPath);
      raw.call("WorkspaceService/GetServiceInfo", "{}", { host });
      expect(await raw.answer()).toMatchObject({ status: 403, body: "the host must be blitz or localhost\n" });
      expect(await askHttp2(served.socketPath, { ":authority": host })).toEqual([
        403,
        "the host must be blitz or localhost\n",
      ]);
      expect(count()).toBe(0);
    },
  );

  it("throws a refused request's body away and goes on with the connection (SVC-62)", async () => {
    const { calls, count } = countedCalls();
    await using served = await startTestServer(calls);
    using raw = await openRaw(served.socketPath);
    const json = JSON.stringify("x".repeat(2 << 20));
    raw.call("WorkspaceService/GetServiceInfo", json, { origin: "http://evil.example" });
    raw.call("WorkspaceService/NoSuchCall", json);
    raw.call("WorkspaceService/GetServiceInfo");
    for (const status of [403, 404, 200]) expect((await raw.answer()).status).toBe(status);
    expect(count()).toBe(1);
  });

  it("refuses an Origin, and a second host, over HTTP/2 (SVC-62)", async () => {
    const { calls, count } = countedCalls();
    await using served = await startTestServer(calls);
    expect((await askHttp2(served.socketPath, { origin: "http://blitz" }))[0]).toBe(403);
    expect((await askHttp2(served.socketPath, { host: "evil.example" }))[0]).toBe(403);
    expect(count()).toBe(0);
  });

  it.each(["", "blitz", "localhost", "LocalHost", "blitz:80"])("takes the host '%s' (SVC-03)", async (host) => {
    const { calls } = countedCalls();
    await using served = await startTestServer(calls);
    using raw = await openRaw(served.socketPath);
    raw.call("WorkspaceService/GetServiceInfo", "{}", { host });
    expect((await raw.answer()).status).toBe(200);
  });

  it("ends a call whose answer can't be sent, says so in the log, and goes on (SVC-60)", async () => {
    let bad = "transfer-encoding";
    await using served = await startTestServer({
      getServiceInfo: (_request, { responseHeader }) => {
        responseHeader.set(bad, "close"); // not a header HTTP/2 may have
        return {};
      },
    });
    await expect(askHttp2(served.socketPath, {})).rejects.toThrow();
    expect(served.logged).toMatchObject([expect.stringMatching(/^error: a request couldn't be answered: /)]);
    bad = "x-fine";
    expect((await askHttp2(served.socketPath, {}))[0]).toBe(200);
  });

  it.each(["/", "/index.html", "/blitz.v1.WorkspaceService/NoSuchCall", "/blitz.v1.WorkspaceService/GetServiceInfo/"])(
    "has nothing at %s (SVC-03)",
    async (path) => {
      const { calls } = countedCalls();
      await using served = await startTestServer(calls);
      using raw = await openRaw(served.socketPath);
      raw.socket.write(`GET ${path} HTTP/1.1\r\nHost: blitz\r\n\r\n`);
      expect(await raw.answer()).toMatchObject({ status: 404, body: "no such call\n" });
      expect((await askHttp2(served.socketPath, { ":path": path }))[0]).toBe(404);
    },
  );

  it("answers what isn't HTTP with 400, and goes on (SVC-60)", async () => {
    const { calls } = countedCalls();
    await using served = await startTestServer(calls);
    using raw = await openRaw(served.socketPath);
    raw.socket.write(Buffer.from("16030100a5010000a1", "hex")); // how TLS begins
    expect(await raw.closed()).toContain("400 Bad Request");
    using hello = await openRaw(served.socketPath);
    hello.socket.end("PRI"); // over before it is clear what it is
    expect(await hello.closed()).toBe("");
    expect((await askHttp2(served.socketPath, {}))[0]).toBe(200);
    expect(served.logged).toEqual([]);
  });
});
