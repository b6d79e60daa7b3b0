// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection on which a test writes the bytes itself. */
export interface RawConnection {
  readonly socket: Socket;
  /** The next answer, which must have a length. */
  answer(): Promise<RawAnswer>;
  /** All that came and wasn't taken as an answer, once it is at least this long. */
  bytes(count: number): Promise<Buffer>;
  /** All that came, once it has a text in it. */
  until(text: string): Promise<string>;
  /** Writes a call with a JSON body. */
  call(method: string, json?: string, headers?: Readonly<Record<string, string>>): void;
  /** Resolves with all that came when the connection is closed. */
  closed(): Promise<string>;
  [Symbol.dispose](): void;
}

/** Connects; nothing is sent. */
export async function openRaw(socketPath: string): Promise<RawConnection> {
  const socket = connect(socketPath);
  await once(socket, "connect");
  socket.on("error", () => undefined); // told by its closing
  let received = "";
  let isClosed = false;
  const closed = new Promise<string>((resolve) => {
    socket.once("close", () => {
      isClosed = true;
      resolve(received);
    });
  });
  socket.on("data", (data: Buffer) => {
    received += data.toString("latin1");
  });
  /** Waits until what came is enough for `take`. */
  const next = async <T>(take: () => T | undefined): Promise<T> => {
    for (;;) {
      const taken = take();
      if (taken !== undefined) return taken;
      if (isClosed) throw new Error(`the connection was closed after ${JSON.stringify(received)}`);
      await new Promise<void>((resolve) => {
        socket.once("data", () => resolve());
        socket.once("close", () => resolve());
      });
    }
  };
  return {
    socket,
    answer: () =>
      next(() => {
        const parsed = parseAnswer(received);
        if (parsed !== undefined) received = received.slice(parsed.length);
        return parsed?.answer;
      }),
    bytes: (count) => next(() => (received.length < count ? undefined : Buffer.from(received, "latin1"))),
    until: (text) => next(() => (received.includes(text) ? received : undefined)),
    call: (method, json = "{}", headers = {}) => {
      const all = { host: "blitz", "content-type": "application/json", "content-length": `${json.length}`, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST /blitz.v1.${method} HTTP/1.1\r\n${lines.join("")}\r\n${json}`);
    },
    closed: () => closed,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function parseAnswer(text: string): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const length = end + 4 + Number(headers["content-length"] ?? 0);
  if (text.length < length) return undefined;
  return { answer: { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4, length) }, length };
}
