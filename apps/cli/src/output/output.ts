// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** Where a program writes: whole writes, in order; a closed pipe ends quietly (CLI-83). */
export interface Output {
  readonly isTty: boolean;
  readonly colour: boolean;
  write(text: string): void;
  /** Resolves when all is written, or nobody reads any more. */
  flush(): Promise<void>;
  /** Whether the reader went away. */
  readonly closed: () => boolean;
}

/** An output over a process stream. `onClosed` is called once when its reader goes away. */
export function createOutput(stream: Writable & { isTTY?: boolean }, colour: boolean, onClosed: () => void): Output {
  let closed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (closed) return;
    closed = true;
    if (error.code === "EPIPE" || error.code === "EIO") onClosed();
  });
  return {
    isTty: stream.isTTY === true,
    colour: colour && stream.isTTY === true,
    write: (text) => {
      if (!closed && text !== "") stream.write(text);
    },
    flush: async () => {
      if (closed) return;
      await new Promise<void>((resolve) => {
        stream.once("error", () => resolve());
        stream.write("", () => resolve());
      });
    },
    closed: () => closed,
  };
}

/** Whether colour is wanted at all: `NO_COLOR`, `TERM=dumb` and `FORCE_COLOR=0` say no (CLI-84). */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb" || env["FORCE_COLOR"] === "0") return false;
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const CONTROL: RegExp = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from a model, a tool or a file made safe to print: escape sequences are not obeyed (TUI-06). */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(CONTROL, "");
}

/** Wraps text in a colour where colours are shown. */
export function paint(output: Output, code: number, text: string): string {
  return output.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
