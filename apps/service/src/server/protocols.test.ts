// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFile } from "node:child_process";
import { accessSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { apiError } from "@blitz/api";
import { ErrorInfoSchema } from "@blitz/proto/turn";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { clientOf, type Implementation, KINDS, openRaw, startTestServer } from "./testing/index.js";

const CALLS: Implementation = {
  getServiceInfo: () => ({ version: "1.2.3", pid: 42 }),
  listWorkspaces: (_request, context) => ({ workspaces: [context.requestMethod] }),
  watchSession: async function* (request) {
    yield { event: { turnId: request.sessionId, n: 1n } };
    await Promise.resolve();
    yield { event: { turnId: request.sessionId, n: 2n } };
  },
};

const CURL: string | undefined = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .map((dir) => path.join(dir, "curl"))
  .find((file) => {
    try {
      accessSync(file);
      return true;
    } catch {
      return false;
    }
  });

async function errorOf(work: PromiseLike<unknown>): Promise<ConnectError> {
  return await Promise.resolve(work).then(
    () => Promise.reject(new Error("it didn't fail")),
    (error: unknown) => ConnectError.from(error),
  );
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

describe("the protocols of a server", () => {
  it.each(KINDS)("are answered on one socket: %s (SVC-03, PRT-06)", async (kind) => {
    await using served = await startTestServer(CALLS);
    using client = clientOf(kind, served.socketPath);
    expect(await client.workspace.getServiceInfo({})).toMatchObject({ version: "1.2.3", pid: 42 });
    const seen: bigint[] = [];
    for await (const { event } of client.session.watchSession({ sessionId: "s" })) seen.push(event?.n ?? 0n);
    expect(seen).toEqual([1n, 2n]);
    expect(served.logged).toEqual([]);
  });

  it("have several calls on one HTTP/1.1 connection, written by hand (SVC-03)", async () => {
    await using served = await startTestServer(CALLS);
    using raw = await openRaw(served.socketPath);
    for (let i = 0; i < 2; i++) {
      raw.call("WorkspaceService/GetServiceInfo");
      const { status, body } = await raw.answer();
      expect([status, JSON.parse(body)]).toEqual([200, { version: "1.2.3", pid: 42 }]);
    }
    expect(await served.connections()).toBe(1);
  });

  it.skipIf(CURL === undefined)("have curl (SVC-03)", async () => {
    await using served = await startTestServer(CALLS);
    const run = promisify(execFile);
    const args = ["-s", "--unix-socket", served.socketPath, "-H", "content-type: application/json", "-d", "{}"];
    const { stdout } = await run(CURL ?? "", [...args, "http://localhost/blitz.v1.WorkspaceService/GetServiceInfo"]);
    expect(JSON.parse(stdout)).toEqual({ version: "1.2.3", pid: 42 });
  });

  it("have GET for calls without side effects, and for no others (SVC-03)", async () => {
    await using served = await startTestServer(CALLS);
    using client = clientOf("connect", served.socketPath, { useHttpGet: true });
    expect((await client.workspace.listWorkspaces({})).workspaces).toEqual(["GET"]);
    using raw = await openRaw(served.socketPath);
    raw.socket.write(
      "GET /blitz.v1.WorkspaceService/CloseWorkspace?encoding=json&message={} HTTP/1.1\r\nHost: blitz\r\n\r\n",
    );
    expect((await raw.answer()).status).toBe(405);
  });

  it("are told apart however small the pieces come in (SVC-03)", async () => {
    await using served = await startTestServer(CALLS);
    const settings = Buffer.from("000000040000000000", "hex");
    using http2 = await openRaw(served.socketPath);
    http2.socket.setNoDelay(true);
    for (const byte of Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings]))
      await new Promise((resolve) => http2.socket.write(Buffer.of(byte), resolve));
    expect((await http2.bytes(9))[3]).toBe(4); // the server's own settings: it speaks HTTP/2

    using http1 = await openRaw(served.socketPath);
    for (const byte of Buffer.from("PRX /x HTTP/1.1\r\nHost: blitz\r\n\r\n"))
      await new Promise((resolve) => http1.socket.write(Buffer.of(byte), resolve));
    expect(await http1.closed()).toContain("400 Bad Request"); // no such HTTP/1.1 method
  });
});

describe("the errors of a server", () => {
  it.each(KINDS)("carry reason, metadata and words: %s (SVC-30, PRT-05)", async (kind) => {
    await using served = await startTestServer({
      closeWorkspace: ({ workspace }) => {
        throw apiError("TURN_RUNNING", "a turn runs", { workspace });
      },
      watchSession: async function* ({ sessionId }) {
        yield { event: { n: 1n } };
        await Promise.resolve();
        throw apiError("SESSION_NOT_FOUND", "no such session", { id: sessionId });
      },
    });
    using client = clientOf(kind, served.socketPath);
    const error = await errorOf(client.workspace.closeWorkspace({ workspace: "/w" }));
    expect(error.code).toBe(Code.FailedPrecondition);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "TURN_RUNNING", metadata: { workspace: "/w" }, message: "a turn runs" },
    ]);
    const streamed = await errorOf(all(client.session.watchSession({ sessionId: "s9" })));
    expect(streamed.code).toBe(Code.NotFound);
    expect(streamed.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "SESSION_NOT_FOUND", metadata: { id: "s9" } },
    ]);
    expect(served.logged).toEqual([]);
  });

  it.each(KINDS)("tell nothing of a bug, which is logged and ends nothing: %s (SVC-60)", async (kind) => {
    await using served = await startTestServer({
      ...CALLS,
      closeWorkspace: () => {
        throw new TypeError("secret path /home/ann");
      },
      watchSession: async function* () {
        yield { event: { n: 1n } };
        await Promise.resolve();
        throw new RangeError("secret number");
      },
    });
    using client = clientOf(kind, served.socketPath);
    const errors = [
      await errorOf(client.workspace.closeWorkspace({})),
      await errorOf(all(client.session.watchSession({}))),
    ];
    for (const error of errors) {
      expect(error.code).toBe(Code.Internal);
      expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "INTERNAL" }]);
      expect(error.message).not.toContain("secret");
    }
    expect(served.logged).toEqual([
      "error: a call failed unexpectedly: secret path /home/ann",
      "error: a call failed unexpectedly: secret number",
    ]);
    expect(await client.workspace.getServiceInfo({})).toMatchObject({ version: "1.2.3" });
  });

  it.each(KINDS)("come at the deadline, also from a handler that doesn't notice: %s (SVC-03)", async (kind) => {
    const reasons: unknown[] = [];
    await using served = await startTestServer({
      getServiceInfo: async (_request, { signal }) => {
        signal.addEventListener("abort", () => reasons.push((signal.reason as ConnectError).code));
        return await new Promise<never>(() => undefined);
      },
    });
    using client = clientOf(kind, served.socketPath);
    const headers = { "connect-timeout-ms": "20", "grpc-timeout": "20m" }; // so the client doesn't end it itself
    expect((await errorOf(client.workspace.getServiceInfo({}, { headers }))).code).toBe(Code.DeadlineExceeded);
    expect(reasons).toEqual([Code.DeadlineExceeded]);
  });

  it("come at the deadline of a stream whose handler waits for something else (SVC-03)", async () => {
    await using served = await startTestServer({
      watchSession: async function* () {
        yield { event: { n: 1n } };
        await new Promise<never>(() => undefined);
      },
    });
    using raw = await openRaw(served.socketPath);
    const headers = { "content-type": "application/connect+json", "connect-timeout-ms": "20" };
    raw.call("SessionService/WatchSession", "\0\0\0\0\u0002{}", headers);
    expect(await raw.until("0\r\n\r\n")).toContain('{"error":{"code":"deadline_exceeded"');
  });

  it.each(KINDS)("aren't needed when a client goes: its handler sees that: %s (SVC-22)", async (kind) => {
    const seen: string[] = [];
    const begun = Promise.withResolvers<void>();
    await using served = await startTestServer({
      watchSession: async function* (_request, { signal }) {
        try {
          yield { event: { n: 1n } };
          begun.resolve();
          await new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason as Error));
          });
        } catch (error) {
          seen.push(Code[ConnectError.from(error).code] ?? "");
        } finally {
          seen.push("left");
        }
      },
    });
    using client = clientOf(kind, served.socketPath);
    const leaving = new AbortController();
    const stream = client.session.watchSession({}, { signal: leaving.signal })[Symbol.asyncIterator]();
    await stream.next();
    const rest = errorOf(stream.next());
    await begun.promise;
    leaving.abort();
    expect((await rest).code).toBe(Code.Canceled);
    await expect.poll(() => seen).toEqual(["Canceled", "left"]);
    expect(served.logged).toEqual([]);
  });
});
