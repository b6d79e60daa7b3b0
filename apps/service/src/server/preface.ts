// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Socket } from "node:net";

/** What a connection speaks. */
export type Protocol = "http1" | "http2";

/** What a client that knows HTTP/2 is spoken here sends first. */
const PREFACE: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** What begins like this is, or `undefined` while it may be either. */
export function protocolOf(seen: Buffer): Protocol | undefined {
  const length = Math.min(seen.length, PREFACE.length);
  if (!seen.subarray(0, length).equals(PREFACE.subarray(0, length))) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}

/**
 * Reads what a connection sends until it is clear which protocol it speaks, and puts it back. The connection is then
 * paused. One that ends before is destroyed; one that says nothing stays, so whoever calls limits the time.
 */
export function awaitProtocol(socket: Socket, onProtocol: (protocol: Protocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const onEnd = (): void => void socket.destroy();
  const onData = (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (protocol === undefined) return;
    socket.off("data", onData);
    socket.off("end", onEnd);
    socket.pause();
    socket.unshift(seen);
    onProtocol(protocol);
  };
  socket.on("data", onData);
  socket.on("end", onEnd);
}
