// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { CALL } from "./call.js";

/** How much a stream may hold back. */
export interface StreamQueueOptions<T> {
  /** What may wait for the client, by `sizeOf`. */
  readonly maxBytes: number;
  /** About how many bytes a value takes while it waits. */
  readonly sizeOf: (value: T) => number;
  /**
   * The call's context. With it the queue ends when the call does, and a client that fell behind is cut off; without
   * it the client gets the error when it reads on, and its call stays open until then.
   */
  readonly context?: Pick<HandlerContext, "signal" | "values">;
}

/** Values given by callbacks, read as a stream by one reader. Leaving the reading loop empties and ends it. */
export interface StreamQueue<T> extends AsyncIterable<T> {
  /** Adds a value; never waits. After the end, values are dropped. */
  push(value: T): void;
  /** No more values: what waits is still read, then the stream ends, with the error if one is given. Idempotent. */
  end(error?: unknown): void;
}

/**
 * Turns callbacks into a stream without ever holding up who calls (SVC-63). A reader that lets more than `maxBytes`
 * wait gets a ConnectError `resource_exhausted` next, instead of what waited.
 */
export function createStreamQueue<T>({ maxBytes, sizeOf, context }: StreamQueueOptions<T>): StreamQueue<T> {
  let waiting: { readonly value: T; readonly size: number }[] = [];
  let bytes = 0;
  let ended: { readonly error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;

  const end = (error?: unknown): void => {
    ended ??= { error: error === undefined || error instanceof Error ? error : new Error(String(error)) };
    wake?.();
  };
  const drop = (error?: unknown): void => {
    waiting = [];
    bytes = 0;
    end(error);
  };
  const push = (value: T): void => {
    if (ended !== undefined) return;
    const size = sizeOf(value);
    bytes += size;
    if (bytes > maxBytes && waiting.length > 0) {
      drop(new ConnectError("the client reads too slowly", Code.ResourceExhausted));
      context?.values.get(CALL).cutSoon();
      return;
    }
    waiting.push({ value, size });
    wake?.();
  };

  async function* read(): AsyncGenerator<T> {
    const onAbort = (): void => drop(context?.signal.reason);
    if (context?.signal.aborted === true) onAbort();
    context?.signal.addEventListener("abort", onAbort, { once: true });
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          bytes -= next.size;
          yield next.value;
        } else if (ended !== undefined) {
          if (ended.error !== undefined) throw ended.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      context?.signal.removeEventListener("abort", onAbort);
      drop();
    }
  }
  return { push, end, [Symbol.asyncIterator]: read };
}
