// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { errorToConnect } from "@blitz/wire";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { CALL } from "./call.js";
import { orAborted } from "./or-aborted.js";

/** Where trouble is told. */
export interface ServerLog {
  warn(message: string, attributes?: Readonly<Record<string, unknown>>): void;
  error(message: string, attributes?: Readonly<Record<string, unknown>>): void;
}

/**
 * What happens around every handler: its errors become those of the wire (PRT-05), what nobody expected is logged
 * and told as `INTERNAL` without its stack (SVC-60), and a call ends at its deadline or when its client goes, even
 * if its handler doesn't notice.
 */
export function createErrorInterceptor(log: ServerLog): Interceptor {
  return (next) => async (request) => {
    const { signal } = request;
    const call = request.contextValues.get(CALL);
    const method = `${request.service.typeName}/${request.method.name}`;
    const wireError = (error: unknown): ConnectError => {
      if (signal.aborted) return ConnectError.from(signal.reason, Code.Canceled);
      if (error instanceof ConnectError) return error;
      if (isUnexpected(error)) log.error("a call failed unexpectedly", { method, error });
      return errorToConnect(error);
    };
    if (!request.stream) call.release();
    try {
      const response = await orAborted(next(request), signal);
      if (!response.stream) return response;
      return { ...response, message: untilAborted(response.message, signal, wireError) };
    } catch (error) {
      throw wireError(error);
    } finally {
      call.release(); // a stream's request is parsed by now, too
    }
  };
}

function isUnexpected(error: unknown): boolean {
  if (error instanceof Error && error.name === "AbortError") return false;
  return !isReason(error) || isReason(error, "INTERNAL");
}

/** The messages, until the signal aborts. */
async function* untilAborted<T>(
  messages: AsyncIterable<T>,
  signal: AbortSignal,
  wireError: (error: unknown) => ConnectError,
): AsyncGenerator<T> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await orAborted(iterator.next(), signal);
      if (step.done === true) return;
      yield step.value;
    }
  } catch (error) {
    throw wireError(error);
  } finally {
    // Not awaited: a handler that waits for something else only gets it afterwards. The call's outcome is decided.
    iterator.return?.().then(undefined, () => undefined);
  }
}
