// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { compressionGzip } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { clientOf, type Implementation, KINDS, openRaw, startTestServer } from "./testing/index.js";

/** Answers with the length of what it got. */
const MEASURE: Implementation = {
  closeWorkspace: () => ({}),
  getServiceInfo: () => ({ version: "1" }),
  steer: ({ text }) => {
    seen.push(text.length);
    return {};
  },
  watchSession: async function* ({ sessionId }) {
    seen.push(sessionId.length);
    yield await Promise.resolve({ event: { n: 1n } });
  },
};
const seen: number[] = [];

async function codeOf(work: PromiseLike<unknown>): Promise<string> {
  return await Promise.resolve(work).then(
    () => "ok",
    (error: unknown) => Code[ConnectError.from(error).code] ?? "?",
  );
}

async function firstOf<T>(stream: AsyncIterable<T>): Promise<T | undefined> {
  for await (const value of stream) return value;
  return undefined;
}

describe("the limits of a server", () => {
  it.each(KINDS)("refuse a message over 32 MiB, and take one below: %s (SVC-05)", async (kind) => {
    await using served = await startTestServer(MEASURE);
    using client = clientOf(kind, served.socketPath);
    seen.length = 0;
    const text = "x".repeat(32 << 20);
    expect(await codeOf(client.session.steer({ text }))).toBe("ResourceExhausted");
    expect(await codeOf(firstOf(client.session.watchSession({ sessionId: text })))).toBe("ResourceExhausted");
    expect(await codeOf(client.session.steer({ text: text.slice(0, 30 << 20) }))).toBe("ok");
    expect(seen).toEqual([30 << 20]);
    expect(await codeOf(client.workspace.getServiceInfo({}))).toBe("ok");
  });

  it("refuse by the length alone, before anything of it came, and keep the connection (SVC-05)", async () => {
    await using served = await startTestServer(MEASURE);
    using raw = await openRaw(served.socketPath);
    raw.call("SessionService/Steer", "", { "content-length": "40000000" });
    const { status, body } = await raw.answer();
    expect([status, JSON.parse(body)]).toEqual([
      429,
      { code: "resource_exhausted", message: "the request is longer than 33554432 bytes" },
    ]);
    raw.socket.write(Buffer.alloc(40_000_000)); // thrown away
    raw.call("WorkspaceService/GetServiceInfo");
    expect((await raw.answer()).status).toBe(200);
  });

  it("throw the rest of a refused body away over HTTP/2 as well (SVC-05)", async () => {
    await using served = await startTestServer(MEASURE);
    const session = connectHttp2("http://blitz", { createConnection: () => connect(served.socketPath) });
    const path = "/blitz.v1.SessionService/Steer";
    const headers = { ":method": "POST", ":path": path, "content-type": "application/json" };
    const stream = session.request({ ...headers, "content-length": "40000000" });
    const [answer] = (await once(stream, "response")) as [Record<string, unknown>];
    expect(answer[":status"]).toBe(429);
    stream.resume();
    stream.end(Buffer.alloc(40_000_000)); // more than anybody's window
    await once(stream, "close");
    session.destroy();
  });

  it("refuse a chunked body as soon as it is too long, and keep the connection (SVC-05)", async () => {
    await using served = await startTestServer(MEASURE, { maxBodyBytes: 100_000 });
    using raw = await openRaw(served.socketPath);
    const head = "POST /blitz.v1.SessionService/Steer HTTP/1.1\r\nHost: blitz\r\nContent-Type: application/json\r\n";
    raw.socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const write = (): boolean => raw.socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`);
    for (let i = 0; i < 3; i++) write();
    expect(await raw.answer()).toMatchObject({ status: 429 });
    for (let i = 0; i < 20; i++) write(); // thrown away
    raw.socket.write("0\r\n\r\n");
    raw.call("WorkspaceService/GetServiceInfo");
    expect((await raw.answer()).status).toBe(200);
  });

  it.each(KINDS)("take gzip: %s (SVC-03)", async (kind) => {
    await using served = await startTestServer(MEASURE);
    using client = clientOf(kind, served.socketPath, { sendCompression: compressionGzip });
    seen.length = 0;
    await client.session.steer({ text: "x".repeat(100_000) });
    await firstOf(client.session.watchSession({ sessionId: "y".repeat(100_000) }));
    expect(seen).toEqual([100_000, 100_000]);
  });

  it.each(KINDS)("refuse what only unpacked is too long: %s (SVC-05)", async (kind) => {
    await using served = await startTestServer(MEASURE, { maxBodyBytes: 1 << 20 });
    using client = clientOf(kind, served.socketPath, { sendCompression: compressionGzip });
    seen.length = 0;
    expect(await codeOf(client.session.steer({ text: "x".repeat(4 << 20) }))).toBe("ResourceExhausted");
    const stream = client.session.watchSession({ sessionId: "x".repeat(4 << 20) });
    expect(await codeOf(firstOf(stream))).toBe("ResourceExhausted");
    expect(seen).toEqual([]);
  });

  it("refuse what isn't gzip though it says so, and other encodings", async () => {
    await using served = await startTestServer(MEASURE);
    using raw = await openRaw(served.socketPath);
    raw.call("WorkspaceService/GetServiceInfo", "{}", { "content-encoding": "gzip" });
    expect(JSON.parse((await raw.answer()).body)).toMatchObject({ code: "invalid_argument" });
    raw.call("WorkspaceService/GetServiceInfo", "{}", { "content-encoding": "zstd" });
    expect(JSON.parse((await raw.answer()).body)).toMatchObject({ code: "unimplemented" });
  });

  it.each([
    [4_000, undefined],
    [5_000, "gzip"],
  ])("compress answers from 4 KiB on, for clients that ask: %d bytes (SVC-03)", async (length, encoding) => {
    await using served = await startTestServer({ getServiceInfo: () => ({ version: "v".repeat(length) }) });
    using raw = await openRaw(served.socketPath);
    raw.call("WorkspaceService/GetServiceInfo", "{}", { "accept-encoding": "gzip" });
    expect((await raw.answer()).headers["content-encoding"]).toBe(encoding);
    raw.call("WorkspaceService/GetServiceInfo");
    expect((await raw.answer()).headers["content-encoding"]).toBeUndefined();
  });

  it("let large bodies wait for each other, small ones for none, and slow ones not for ever (SVC-05)", async () => {
    await using served = await startTestServer(MEASURE, { headerTimeoutMs: 500 });
    seen.length = 0;
    using slow1 = await openRaw(served.socketPath);
    using slow2 = await openRaw(served.socketPath);
    for (const slow of [slow1, slow2]) slow.call("SessionService/Steer", "{", { "content-length": "100000" });
    using quick = await openRaw(served.socketPath);
    quick.call("SessionService/Steer", JSON.stringify({ text: "x".repeat(200_000) }));
    using small = await openRaw(served.socketPath);
    using trickle = await openRaw(served.socketPath);
    trickle.call("WorkspaceService/GetServiceInfo", "{", { "content-length": "2" });
    for (let i = 0; i < 5; i++) {
      small.call("WorkspaceService/GetServiceInfo");
      expect((await small.answer()).status).toBe(200);
    }
    expect(seen).toEqual([]); // both places are taken
    for (const slow of [slow1, slow2])
      expect(JSON.parse((await slow.answer()).body)).toEqual({
        code: "resource_exhausted",
        message: "the request comes too slowly for its size",
      });
    expect((await quick.answer()).status).toBe(200);
    expect(seen).toEqual([200_000]);
    trickle.socket.write("}"); // a small one may take its time
    expect((await trickle.answer()).status).toBe(200);
  });

  it("free the place of a client that goes while it sends or waits (SVC-05)", async () => {
    await using served = await startTestServer(MEASURE);
    seen.length = 0;
    const leaving = await Promise.all([1, 2, 3].map(async () => await openRaw(served.socketPath)));
    for (const raw of leaving) raw.call("SessionService/Steer", "{", { "content-length": "100000" });
    using quick = await openRaw(served.socketPath);
    quick.call("SessionService/Steer", JSON.stringify({ text: "x".repeat(200_000) }));
    for (const raw of leaving) raw.socket.destroy();
    expect((await quick.answer()).status).toBe(200);
    expect(served.logged).toEqual([]);
  });

  it.each(["connect", "grpc"] as const)("keep no place for calls that are parsed: %s (SVC-05)", async (kind) => {
    const going = Promise.withResolvers<void>();
    const begun = { calls: 0, all: Promise.withResolvers<void>() };
    await using served = await startTestServer({
      steer: async () => {
        begun.calls += 1;
        if (begun.calls === 3) begun.all.resolve();
        await going.promise;
        return {};
      },
      watchSession: async function* () {
        yield { event: { n: 1n } };
        await going.promise;
      },
    });
    using client = clientOf(kind, served.socketPath);
    const text = "x".repeat(100_000);
    const streams = [1, 2, 3].map(() => client.session.watchSession({ sessionId: text })[Symbol.asyncIterator]());
    for (const stream of streams) expect((await stream.next()).value?.event?.n).toBe(1n);
    const steers = [1, 2, 3].map(() => client.session.steer({ text }));
    await begun.all.promise;
    going.resolve();
    await Promise.all(steers);
    for (const stream of streams) expect((await stream.next()).done).toBe(true);
  });

  it.each([
    ["says nothing", ""],
    ["stops within its headers", "POST /blitz.v1.WorkspaceService/GetServiceInfo HTTP/1.1\r\nHos"],
    ["stops within the HTTP/2 preface", "PRI * HTTP/2.0\r\n"],
    ["asks nothing over HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("cut a client that %s, and none that asked something (SVC-03)", async (_name, text) => {
    await using served = await startTestServer(MEASURE, { headerTimeoutMs: 100 });
    using asked = await openRaw(served.socketPath);
    asked.call("WorkspaceService/GetServiceInfo");
    expect((await asked.answer()).status).toBe(200);
    using slow = await openRaw(served.socketPath);
    slow.socket.write(text);
    await slow.closed();
    asked.call("WorkspaceService/GetServiceInfo");
    expect((await asked.answer()).status).toBe(200);
  });
});
