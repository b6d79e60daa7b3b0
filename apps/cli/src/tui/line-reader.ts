// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Lines of an input. One reader at a time; lines that came early wait for the next one. */
export interface LineReader {
  /** `undefined` at the end of the input, and for Ctrl+C or Ctrl+D on a terminal. */
  read(show: string): Promise<string | undefined>;
  close(): void;
}

/** Lines of a pipe: read ahead only as far as the pipe has delivered. `write` shows the prompt. */
export function createPipeReader(input: Readable, write: (text: string) => void, signal: AbortSignal): LineReader {
  const lines: string[] = [];
  let ended = false;
  let wake = (): void => undefined;
  const onEnd = (): void => {
    ended = true;
    wake();
  };
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal });
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  reader.on("close", onEnd);
  return {
    read: async (show) => {
      write(show);
      while (lines.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const line = lines.shift();
      write("\n"); // what came isn't echoed by anyone
      return line;
    },
    close: () => reader.close(),
  };
}

/**
 * Lines of a terminal as it edits and echoes them itself. It is read only while a line is wanted: keys
 * typed at other times belong to whoever asks then, and a paste's further lines wait for the next read.
 * `interrupts` takes Ctrl+C, which ends the input.
 */
export function createTerminalReader(
  input: Readable,
  write: (text: string) => void,
  signal: AbortSignal,
  interrupts: (onInterrupt: () => void) => Disposable,
): LineReader {
  const lines: string[] = [];
  const readOne = async (): Promise<string | undefined> => {
    if (signal.aborted) return undefined;
    const done = Promise.withResolvers<string | undefined>();
    const end = (): void => done.resolve(undefined);
    const reader = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
    reader.on("line", (line) => void lines.push(line));
    reader.once("line", () => setImmediate(() => done.resolve(lines.shift()))); // after the rest of the same paste
    reader.once("close", end);
    signal.addEventListener("abort", end, { once: true });
    using _interrupts = interrupts(end);
    try {
      const line = await done.promise;
      if (line === undefined) write("\n");
      return line;
    } finally {
      signal.removeEventListener("abort", end);
      reader.close();
      input.pause();
    }
  };
  return {
    read: async (show) => {
      write(show);
      const early = lines.shift();
      if (early === undefined) return await readOne();
      write(`${early}\n`);
      return early;
    },
    close: () => undefined,
  };
}
