// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { type BodyDeps, bodyOf, type PlacedCall } from "./body.js";
import { CALL } from "./call.js";
import type { ServerLog } from "./call-errors.js";
import type { HttpRequest, HttpResponse, OnRequest } from "./http-servers.js";
import { refusalOf } from "./refusal.js";
import { writePlain, writeResponse } from "./response.js";

/** What answering requests needs. */
export interface ExchangeDeps {
  /** By path. */
  readonly handlers: ReadonlyMap<string, UniversalHandler>;
  readonly bodies: BodyDeps;
  readonly log: ServerLog;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  /** How long a client that was left behind gets to catch up before it is cut. */
  readonly catchUpMs: number;
}

/**
 * Answers requests: refused ones and unknown paths before anything of theirs is looked at. What still comes of a body
 * after the answer Node.js throws away, so the connection stays good for the next request.
 */
export function createExchange(deps: ExchangeDeps): OnRequest {
  return (connection, request, response) => {
    request.on("error", ignore);
    response.on("error", ignore);
    response.once("close", connection.begin());
    const refusal = refusalOf(request.headers);
    if (refusal !== undefined) {
      writePlain(response, { status: 403, text: refusal }, leaveHeaders(deps, request));
      return;
    }
    const handler = deps.handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (handler === undefined) writePlain(response, { status: 404, text: "no such call" }, leaveHeaders(deps, request));
    else void answer(deps, handler, request, response);
  };
}

/** Nothing to do: whoever reads or writes learns of the end by `close`. Without a listener it ended the process. */
function ignore(): void {}

/** Runs a call to its end. Never rejects. */
async function answer(
  deps: ExchangeDeps,
  handler: UniversalHandler,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const gone = new AbortController();
  let isAnswered = false;
  response.once("close", () => {
    if (!isAnswered) gone.abort(new ConnectError("the client went away", Code.Canceled));
  });
  const call = createCall(request, response, deps.catchUpMs);
  try {
    const answer = await handler({
      httpVersion: request.httpVersion,
      method: request.method ?? "",
      url: new URL(request.url ?? "", "http://blitz").href,
      header: headersOf(request),
      body: bodyOf(deps.bodies, request, call, gone.signal),
      signal: gone.signal,
      contextValues: createContextValues().set(CALL, call),
    });
    await writeResponse(response, answer, leaveHeaders(deps, request), gone.signal);
    isAnswered = true;
  } catch (error) {
    if (!gone.signal.aborted) {
      deps.log.error("a request couldn't be answered", { path: handler.requestPath, error });
      destroy(request); // not another answer: this one may have failed half-way, or for what it holds
    }
  } finally {
    call.release();
  }
}

/** The headers without those of HTTP/2 itself, and without the length: bodies come checked, as a whole. */
function headersOf(request: HttpRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(":") || name === "content-length") continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

/** On a server that stops, HTTP/1.1 clients are told not to use the connection again. */
function leaveHeaders({ stopping }: ExchangeDeps, request: HttpRequest): Readonly<Record<string, string>> {
  return stopping.aborted && !("stream" in request) ? { connection: "close" } : {};
}

function createCall(request: HttpRequest, response: HttpResponse, catchUpMs: number): PlacedCall {
  let release: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  response.once("close", () => clearTimeout(timer));
  return {
    hold: (place) => {
      release = place;
    },
    release: () => release?.(),
    cutSoon: () => {
      timer ??= setTimeout(() => destroy(request), catchUpMs);
    },
  };
}

/** HTTP/2's code for a stream its receiver has no more interest in. */
const CANCEL = 8;

/** Ends a call where it stands: the connection in HTTP/1.1, the stream alone in HTTP/2. */
function destroy(request: HttpRequest): void {
  if ("stream" in request) {
    request.stream.close(CANCEL);
    request.stream.destroy();
  } else {
    request.socket.destroy();
  }
}
