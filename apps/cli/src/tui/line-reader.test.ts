// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createPipeReader, createTerminalReader, type LineReader } from "./line-reader.js";

interface Bench {
  readonly reader: LineReader;
  readonly keys: (text: string) => void;
  readonly shown: () => string;
  readonly interrupt: () => void;
  readonly abort: AbortController;
}

/** A reader over a terminal's stream: lines come when they are ended. */
function terminal(): Bench {
  const [input, abort] = [new PassThrough(), new AbortController()];
  let text = "";
  let interrupt = (): void => undefined;
  const write = (more: string): void => {
    text += more;
  };
  const reader = createTerminalReader(input, write, abort.signal, (onInterrupt) => {
    interrupt = onInterrupt;
    return { [Symbol.dispose]: () => undefined };
  });
  return { reader, keys: (typed) => void input.write(typed), shown: () => text, interrupt: () => interrupt(), abort };
}

describe("createTerminalReader", () => {
  it("keeps the further lines of a paste for the next reads, and shows them there (TUI-10)", async () => {
    const { reader, keys, shown } = terminal();
    const first = reader.read("> ");
    keys("one\ntwo 漢字\n");
    expect(await first).toBe("one");
    expect(await reader.read("> ")).toBe("two 漢字");
    expect(shown()).toBe("> > two 漢字\n");
    const third = reader.read("> ");
    keys("three\n");
    expect(await third).toBe("three");
  });

  it.each([
    ["Ctrl+C", (bench: Bench) => bench.interrupt()],
    ["the program's end", (bench: Bench) => bench.abort.abort()],
  ])("ends with %s (TUI-40)", async (_name, end) => {
    const bench = terminal();
    const line = bench.reader.read("> ");
    end(bench);
    expect(await line).toBeUndefined();
  });
});

describe("createPipeReader", () => {
  it("gives lines that came early in order, the last one without its end too, then the end", async () => {
    const input = new PassThrough();
    const reader = createPipeReader(input, () => undefined, new AbortController().signal);
    input.end("one\r\n\ntwo");
    const lines = [await reader.read(""), await reader.read(""), await reader.read(""), await reader.read("")];
    expect(lines).toEqual(["one", "", "two", undefined]);
  });
});
