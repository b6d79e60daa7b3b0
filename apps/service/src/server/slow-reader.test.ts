// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CALL } from "./call.js";
import { createStreamQueue } from "./index.js";
import { clientOf, type Implementation, KINDS, openRaw, startTestServer } from "./testing/index.js";

const CHUNK: number = 64 << 10;
const QUEUE: number = 1 << 20;
/** What HTTP and the system may hold beside the queue; far less than the flood. */
const BUFFERS: number = 3 << 20;

interface Flood {
  readonly calls: Implementation;
  /** Bytes pushed when the queue was full. */
  readonly full: Promise<number>;
  /** The stream's code was left. */
  readonly left: Promise<void>;
}

/**
 * The session `flood` is sent chunks, one at each turn of the event loop, until its reader falls behind or 64 MiB were
 * taken. Another is sent a hundred.
 */
function flood(): Flood {
  const full = Promise.withResolvers<number>();
  const left = Promise.withResolvers<void>();
  const calls: Implementation = {
    watchSession: async function* ({ sessionId }, { signal, values: given }) {
      if (sessionId !== "flood") {
        for (let i = 0; i < 100; i++) yield await Promise.resolve({ event: { turnId: "x".repeat(CHUNK) } });
        return;
      }
      let pushed = 0;
      let isOver = false;
      const cutSoon = (): void => {
        given.get(CALL).cutSoon();
        isOver = true;
        full.resolve(pushed);
      };
      const values = createContextValues().set(CALL, { ...given.get(CALL), cutSoon });
      const sizeOf = (text: string): number => text.length;
      const queue = createStreamQueue<string>({ maxBytes: QUEUE, sizeOf, context: { signal, values } });
      const push = (): void => {
        if (isOver) return;
        pushed += CHUNK;
        queue.push("x".repeat(CHUNK));
        if (pushed < 64 << 20) setImmediate(push);
        else full.resolve(pushed);
      };
      push();
      try {
        for await (const turnId of queue) yield { event: { turnId } };
      } finally {
        left.resolve();
      }
    },
  };
  return { calls, full: full.promise, left: left.promise };
}

async function readOther(socketPath: string): Promise<number> {
  using other = clientOf("connect", socketPath);
  let bytes = 0;
  for await (const { event } of other.session.watchSession({ sessionId: "other" })) bytes += event?.turnId.length ?? 0;
  return bytes;
}

const PATH = "/blitz.v1.SessionService/WatchSession";
const JSON_BODY = JSON.stringify({ sessionId: "flood" });
const ENVELOPED: Buffer = Buffer.from(`\0\0\0\0${String.fromCharCode(JSON_BODY.length)}${JSON_BODY}`);

describe("a client that stops reading", () => {
  it("makes its queue grow, not the process, and is cut off over HTTP/1.1 while others go on (SVC-63)", async () => {
    const { calls, full, left } = flood();
    await using served = await startTestServer(calls, { headerTimeoutMs: 100 });
    using raw = await openRaw(served.socketPath);
    raw.socket.pause();
    const head = "Host: blitz\r\nContent-Type: application/connect+json\r\n";
    raw.socket.write(`POST ${PATH} HTTP/1.1\r\n${head}Content-Length: ${ENVELOPED.length}\r\n\r\n`);
    raw.socket.write(ENVELOPED);
    expect(await full).toBeLessThan(QUEUE + BUFFERS);
    expect(await readOther(served.socketPath)).toBe(100 * CHUNK);
    await left;
    await expect.poll(served.connections).toBe(1); // the other's, kept alive
    expect(served.logged).toEqual([]);
  });

  it("loses that stream alone over HTTP/2 (SVC-63)", async () => {
    const { calls, full, left } = flood();
    await using served = await startTestServer(calls, { headerTimeoutMs: 100 });
    const session = connectHttp2("http://blitz", { createConnection: () => connect(served.socketPath) });
    const headers = { ":method": "POST", ":path": PATH, "content-type": "application/connect+json" };
    const stalled = session.request(headers).end(ENVELOPED);
    const closed = new Promise<number>((resolve) => stalled.once("close", () => resolve(stalled.rstCode)));
    stalled.on("error", () => undefined);
    expect(await full).toBeLessThan(QUEUE + BUFFERS);
    await left;
    expect(await closed).toBe(8);
    const other = session.request(headers).end(Buffer.from("\0\0\0\0\u0002{}"));
    let bytes = 0;
    for await (const chunk of other) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(100 * CHUNK);
    session.close();
    await once(session, "close");
    expect(served.logged).toEqual([]);
  });

  it.each(KINDS)("is told why, if it reads on in time: %s (SVC-63)", async (kind) => {
    const { calls, full, left } = flood();
    await using served = await startTestServer(calls);
    using client = clientOf(kind, served.socketPath);
    const stream = client.session.watchSession({ sessionId: "flood" })[Symbol.asyncIterator]();
    await stream.next();
    await full;
    const rest = async (): Promise<never> => {
      while ((await stream.next()).done !== true);
      throw new Error("the stream ended in peace");
    };
    const error = await rest().catch((thrown: unknown) => ConnectError.from(thrown));
    expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "the client reads too slowly" });
    await left;
  });
});
