// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ReadStream } from "node:tty";

/** Input typed before a prompt was on screen is read and dropped for this long (APR-64). */
const DRAIN_MS: number = 30;

/** The keyboard of a terminal, owned by whoever is asking. */
export interface Keyboard {
  /**
   * One key, typed after `show` had drawn the prompt: what was typed before never answers it.
   * Resolves `"ctrl-c"` for Ctrl+C and Esc.
   */
  key(show: () => void, signal: AbortSignal): Promise<string>;
  /** One line, likewise; `undefined` for Ctrl+C. `echo` shows what is typed. */
  line(show: () => void, echo: (text: string) => void, signal: AbortSignal): Promise<string | undefined>;
}

/** A keyboard over a terminal's input; the terminal is as before between questions. */
export function createKeyboard(stdin: ReadStream): Keyboard {
  const session = async <T>(
    show: () => void,
    take: (data: string) => T | undefined,
    signal: AbortSignal,
  ): Promise<T> => {
    signal.throwIfAborted();
    const answer = Promise.withResolvers<T>();
    let drained = false;
    const onData = (data: Buffer): void => {
      if (!drained) return;
      const taken = take(data.toString("utf8"));
      if (taken !== undefined) answer.resolve(taken);
    };
    const onEnd = (): void => answer.reject(new Error("the terminal's input has ended"));
    const onAbort = (): void => answer.reject(signal.reason);
    stdin.setRawMode(true);
    stdin.on("data", onData).on("end", onEnd);
    stdin.resume();
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => {
      show();
      drained = true;
    }, DRAIN_MS);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      stdin.off("data", onData).off("end", onEnd);
      stdin.pause();
      stdin.setRawMode(false);
    }
  };

  return {
    key: (show, signal) =>
      session(
        show,
        (data) =>
          data === "\u0003" || data === "\u001b" ? "ctrl-c" : data.startsWith("\u001b") ? undefined : data.charAt(0),
        signal,
      ),
    line: async (show, echo, signal) => {
      let typed = "";
      const done = await session<{ readonly text: string | undefined }>(
        show,
        (data) => {
          for (const char of data.startsWith("\u001b") && data.length > 1 ? "" : data) {
            if (char === "\u0003" || char === "\u001b") return { text: undefined };
            if (char === "\r" || char === "\n") return { text: typed };
            if (char === "\u007f" || char === "\b") {
              if (typed !== "") echo("\b \b");
              typed = [...typed].slice(0, -1).join("");
            } else if (char >= " ") {
              typed += char;
              echo(char);
            }
          }
          return undefined;
        },
        signal,
      );
      return done.text;
    },
  };
}
