// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

const NEWLINE: number = 0x0a;

/** A line, or that one was too long to be kept. */
export type InputLine = { readonly text: string } | { readonly tooLong: true };

/** The lines of an input as they come, the last one also without its newline; one in memory at a time. */
export async function* readLines(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (): InputLine => {
    const line: InputLine = size > maxBytes ? { tooLong: true } : { text: Buffer.concat(parts).toString("utf8") };
    [parts, size] = [[], 0];
    return line;
  };
  const add = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > maxBytes) parts = [];
    else parts.push(bytes);
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
