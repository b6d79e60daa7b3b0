// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CALL } from "./call.js";
import { createStreamQueue, type StreamQueue } from "./index.js";

const queueOf = (maxBytes: number): StreamQueue<string> =>
  createStreamQueue({ maxBytes, sizeOf: (text: string) => text.length });

async function readAll(queue: AsyncIterable<string>): Promise<(string | Code)[]> {
  const seen: (string | Code)[] = [];
  try {
    for await (const value of queue) seen.push(value);
  } catch (error) {
    seen.push(error instanceof ConnectError ? error.code : String(error));
  }
  return seen;
}

describe("a stream queue", () => {
  it("gives what was pushed in order, before and while it is read, then ends (SVC-20)", async () => {
    const queue = queueOf(100);
    queue.push("a");
    queue.push("b");
    const read = readAll(queue);
    queue.push("c");
    await Promise.resolve();
    queue.push("d");
    queue.end();
    queue.end(new Error("too late"));
    queue.push("e");
    expect(await read).toEqual(["a", "b", "c", "d"]);
  });

  it("ends with an error after what waits", async () => {
    const queue = queueOf(100);
    queue.push("a");
    queue.end(new Error("broken"));
    expect(await readAll(queue)).toEqual(["a", "Error: broken"]);
  });

  it("fails a reader that lets too much wait, and drops what comes then (SVC-63)", async () => {
    const queue = queueOf(10);
    for (const text of ["aaaaa", "bbbbb", "c", "d"]) queue.push(text);
    queue.end();
    expect(await readAll(queue)).toEqual([Code.ResourceExhausted]);
  });

  it("counts only what waits, and takes one value of any size (SVC-63)", async () => {
    const queue = queueOf(10);
    const reader = queue[Symbol.asyncIterator]();
    for (let i = 0; i < 5; i++) {
      queue.push("x".repeat(8));
      expect((await reader.next()).value).toHaveLength(8);
    }
    queue.push("y".repeat(50));
    expect((await reader.next()).value).toHaveLength(50);
  });

  it("cuts a client that fell behind, when it knows the call (SVC-63)", async () => {
    let cuts = 0;
    const values = createContextValues().set(CALL, { release: () => undefined, cutSoon: () => void cuts++ });
    const context = { signal: new AbortController().signal, values };
    const queue = createStreamQueue<string>({ maxBytes: 1, sizeOf: () => 1, context });
    for (const text of ["a", "b", "c"]) queue.push(text);
    expect(cuts).toBe(1);
    expect(await readAll(queue)).toEqual([Code.ResourceExhausted]);
  });

  it("ends with its call, also while its reader waits (SVC-22)", async () => {
    const ending = new AbortController();
    const context = { signal: ending.signal, values: createContextValues() };
    const queue = createStreamQueue<string>({ maxBytes: 100, sizeOf: () => 1, context });
    const read = readAll(queue);
    ending.abort(new ConnectError("gone", Code.Canceled));
    queue.push("a");
    expect(await read).toEqual([Code.Canceled]);
    expect(await readAll(createStreamQueue<string>({ maxBytes: 100, sizeOf: () => 1, context }))).toEqual([
      Code.Canceled,
    ]);
  });

  it("forgets what waits when its reader leaves", async () => {
    const queue = queueOf(100);
    queue.push("a");
    queue.push("b");
    for await (const value of queue) if (value === "a") break;
    queue.push("c");
    expect(await readAll(queue)).toEqual([]);
  });
});
