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
 * Lines of a terminal by Node's line editor. It has the terminal only while a line is read: keys typed
 * at other times belong to whoever asks then, and a paste's further lines wait for the next read.
 */
export function createTerminalReader(
  input: NodeJS.ReadStream,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): LineReader {
  const lines: string[] = [];
  let history: string[] = [];
  let begun = "";
  const readOne = async (show: string): Promise<string | undefined> => {
    if (signal.aborted) return undefined;
    const editor = createInterface({ input, output, terminal: true, history, prompt: show });
    const done = Promise.withResolvers<string | undefined>();
    editor.on("line", (line) => void lines.push(line));
    editor.once("line", () => setImmediate(() => done.resolve(lines.shift()))); // after the rest of the same paste
    editor.on("history", (kept) => {
      history = [...kept];
    });
    editor.on("SIGINT", () => done.resolve(undefined));
    editor.on("close", () => done.resolve(undefined));
    const onAbort = (): void => done.resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    editor.prompt();
    if (begun !== "") editor.write(begun);
    begun = "";
    try {
      const line = await done.promise;
      if (line === undefined) output.write("\n");
      else begun = editor.line; // what stands there without its end
      return line;
    } finally {
      signal.removeEventListener("abort", onAbort);
      editor.close();
      input.pause();
    }
  };
  return {
    read: async (show) => {
      const early = lines.shift();
      if (early === undefined) return await readOne(show);
      output.write(`${show}${early}\n`);
      return early;
    },
    close: () => undefined,
  };
}
