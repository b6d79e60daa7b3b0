// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { HAS_SANDBOX, PROGRAM, type Scratch } from "./run-blitz.js";

/** What a program shows in a real pseudo-terminal, read through a terminal emulator. */
export interface TestTerminal extends AsyncDisposable {
  /** Keys, as a terminal sends them. */
  type(keys: string): void;
  /** The screen's rows, without trailing blanks. */
  screen(): string;
  /** Scrollback and screen as one text, soft-wrapped rows joined. */
  transcript(): string;
  /** Everything the program wrote, escape sequences included. */
  readonly raw: () => string;
  /** Where the cursor is: column and row of the screen, from 0. */
  cursor(): { readonly column: number; readonly row: number };
  resize(columns: number, rows: number): Promise<void>;
  /** Waits until the screen satisfies `isSo`; fails with the screen after 20 s. */
  shows(isSo: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  signal(name: NodeJS.Signals): void;
  readonly pid: number;
  /** The exit code. */
  readonly ended: Promise<number>;
}

/** How a terminal is opened. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs in place of blitz: a shell, say. */
  readonly program?: readonly [file: string, ...args: string[]];
}

const GIVE_UP_MS: number = 20_000;

/** Starts blitz with `args` in a pseudo-terminal, in the scratch's workspace. */
export function openTerminal(scratch: Scratch, args: readonly string[], options: TerminalOptions = {}): TestTerminal {
  const { columns = 80, rows = 24, env = {}, program = [process.execPath, PROGRAM] } = options;
  const [file, ...before] = program;
  const pty = spawn(file, [...before, ...args], {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd: scratch.ws,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: scratch.home,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      ...(HAS_SANDBOX ? {} : { BLITZ_SANDBOX_SHELL: "off" }),
      ...env,
    },
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  const ended = Promise.withResolvers<number>();
  const watchers = new Set<() => void>();
  let raw = "";
  pty.onData((data) => {
    raw += data;
    terminal.write(data, () => {
      for (const look of watchers) look();
    });
  });
  terminal.onData((reply) => pty.write(reply)); // a terminal answers what it is asked
  pty.onExit(({ exitCode }) => ended.resolve(exitCode));

  const rowsOf = (from: number, to: number): readonly { readonly text: string; readonly isWrapped: boolean }[] =>
    Array.from({ length: to - from }, (_, at) => {
      const line = terminal.buffer.active.getLine(from + at);
      return { text: line?.translateToString(true) ?? "", isWrapped: line?.isWrapped === true };
    });
  const screen = (): string => {
    const { baseY } = terminal.buffer.active;
    return rowsOf(baseY, baseY + terminal.rows)
      .map(({ text }) => text)
      .join("\n")
      .trimEnd();
  };
  return {
    type: (keys) => pty.write(keys),
    screen,
    transcript: () =>
      rowsOf(0, terminal.buffer.active.length)
        .map(({ text, isWrapped }) => (isWrapped ? text : `\n${text}`))
        .join("")
        .trim(),
    raw: () => raw,
    cursor: () => ({ column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY }),
    resize: async (toColumns, toRows) => {
      terminal.resize(toColumns, toRows); // the terminal reflows first, then tells the program
      pty.resize(toColumns, toRows);
      await new Promise((resolve) => setImmediate(resolve));
    },
    shows: async (isSo) => {
      const holds =
        typeof isSo === "function"
          ? isSo
          : (text: string) => (typeof isSo === "string" ? text.includes(isSo) : isSo.test(text));
      const done = Promise.withResolvers<string>();
      const look = (): void => {
        const text = screen();
        if (holds(text)) done.resolve(text);
      };
      const giveUp = setTimeout(
        () => done.reject(new Error(`the terminal didn't show ${String(isSo)}, but:\n${screen()}`)),
        GIVE_UP_MS,
      );
      watchers.add(look);
      look();
      try {
        return await done.promise;
      } finally {
        watchers.delete(look);
        clearTimeout(giveUp);
      }
    },
    signal: (name) => pty.kill(name),
    pid: pty.pid,
    ended: ended.promise,
    [Symbol.asyncDispose]: async () => {
      pty.kill("SIGKILL");
      await ended.promise;
      terminal.dispose();
    },
  };
}
