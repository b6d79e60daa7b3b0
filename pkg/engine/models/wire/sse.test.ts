// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { readSse, type SseEvent } from "./sse.js";

async function read(pieces: readonly Uint8Array[]): Promise<readonly SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const batch of readSse(ReadableStream.from(pieces))) events.push(...batch);
  return events;
}

const BODY =
  '\ufeff: hello\nevent: a\ndata: 日本語 😀\ndata: naïve\n\n:ping\r\n\r\ndata:{"x":1}\rdata\r\r\nevent: b\r\n\r\nevent: c\r\ndata: y\r\ndata: z\r\n\r\ndata: end\n\n';
const EVENTS = [
  { event: "a", data: "日本語 😀\nnaïve" },
  { event: "", data: '{"x":1}\n' },
  { event: "c", data: "y\nz" },
  { event: "", data: "end" },
];

describe("readSse", () => {
  it("reads the same from every cut of the bytes in two (T-STR-1)", async () => {
    const bytes = Buffer.from(BODY);
    for (let at = 0; at <= bytes.length; at++)
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(EVENTS);
  });

  it("reads the same byte by byte (T-STR-1)", async () => {
    expect(await read(Array.from(Buffer.from(BODY), (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  it("hands on what stands after the last blank line, so that a cut event is noticed", async () => {
    expect(await read([Buffer.from('data: {"a":1}\n\ndata: {"b"')])).toEqual([
      { event: "", data: '{"a":1}' },
      { event: "", data: '{"b"' },
    ]);
  });

  it("says nothing of comments, blank lines and events without data", async () => {
    expect(await read([Buffer.from(": ping\n\n\n\nevent: x\n\nid: 7\nretry: 1\n\n")])).toEqual([]);
  });
});
