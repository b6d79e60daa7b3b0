// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createPipeReader, createTerminalReader, type LineReader } from "./line-reader.js";

interface Bench {
  readonly reader: LineReader;
  readonly keys: (text: string) => void;
  readonly shown: () => string;
  readonly abort: AbortController;
}

/** A reader over a terminal that only has its two streams. */
function terminal(): Bench {
  const [input, output, abort] = [new PassThrough(), new PassThrough(), new AbortController()];
  let text = "";
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  const reader = createTerminalReader(input as unknown as NodeJS.ReadStream, output, abort.signal);
  return { reader, keys: (typed) => void input.write(typed), shown: () => text, abort };
}

describe("createTerminalReader", () => {
  it("reads a line with its editing keys", async () => {
    const { reader, keys } = terminal();
    const line = reader.read("> ");
    keys("hallo\u007f\u007f\u007f\u007f\u007fhello 漢字\r");
    expect(await line).toBe("hello 漢字");
  });

  it("keeps the further lines of a paste, and the begun one, for the next reads (TUI-10)", async () => {
    const { reader, keys } = terminal();
    const first = reader.read("> ");
    keys("one\rtwo\rthr");
    expect(await first).toBe("one");
    expect(await reader.read("> ")).toBe("two");
    const third = reader.read("> ");
    keys("ee\r");
    expect(await third).toBe("three");
  });

  it("recalls earlier lines with the arrow (TUI-11)", async () => {
    const { reader, keys } = terminal();
    const first = reader.read("> ");
    keys("remember\r");
    await first;
    const second = reader.read("> ");
    keys("\u001b[A\r");
    expect(await second).toBe("remember");
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D on an empty line", "\u0004"],
  ])("ends with %s (TUI-40)", async (_name, key) => {
    const { reader, keys } = terminal();
    const line = reader.read("> ");
    keys(key);
    expect(await line).toBeUndefined();
  });

  it("ends when the program is told to stop", async () => {
    const { reader, abort } = terminal();
    const line = reader.read("> ");
    abort.abort();
    expect(await line).toBeUndefined();
    expect(await reader.read("> ")).toBeUndefined();
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
