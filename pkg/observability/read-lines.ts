// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Readable } from "node:stream";

const NEWLINE: number = 0x0a;

/**
 * The lines of a stream of bytes, without their newlines, one in memory at a time. Longer ones are left out, and so
 * is an end without a newline: it is torn, or still being written.
 */
export async function* readLines(stream: Readable, maxBytes: number): AsyncGenerator<string, void, void> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      size += end - start;
      if (size <= maxBytes) yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      [parts, size, start] = [[], 0, end + 1];
    }
    size += chunk.length - start;
    if (size > maxBytes) parts = [];
    else parts.push(chunk.subarray(start));
  }
}
