// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { IncomingMessage, Server as Http1Server, ServerResponse } from "node:http";
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Connection } from "./connections.js";
import type { Protocol } from "./preface.js";

/** A request of either version. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
/** The answer to a request of either version. */
export type HttpResponse = ServerResponse | Http2ServerResponse;
/** Answers a request. Mustn't throw. */
export type OnRequest = (connection: Connection, request: HttpRequest, response: HttpResponse) => void;

/** Calls one HTTP/2 connection may have open at a time: streams stay open for hours, so not few. */
const MAX_STREAMS = 256;

/**
 * The two HTTP servers, neither of which listens. Each is loaded with its first connection, and by
 * `getBuiltinModule`: an `import` of either reads all its exports and so loads Node's web client too (ADR 0007).
 */
export function createHttpServers(onRequest: OnRequest): (connection: Connection, protocol: Protocol) => void {
  /** By socket in HTTP/1.1, by session in HTTP/2. */
  const connections = new WeakMap<object, Connection>();
  const dispatch = (carrier: object | undefined, request: HttpRequest, response: HttpResponse): void => {
    const connection = carrier === undefined ? undefined : connections.get(carrier);
    if (connection !== undefined) onRequest(connection, request, response); // else its connection is gone
  };
  let http1: Http1Server | undefined;
  let http2: Http2Server | undefined;
  return (connection, protocol) => {
    const { socket } = connection;
    if (protocol === "http1") {
      http1 ??= openHttp1(dispatch);
      connections.set(socket, connection);
      http1.emit("connection", socket);
      socket.resume();
      return;
    }
    http2 ??= openHttp2(dispatch);
    http2.once("session", (session) => {
      connections.set(session, connection);
      connection.onClose(() => session.close());
    });
    http2.emit("connection", socket); // takes what the socket holds, and emits `session` before it returns
  };
}

type Dispatch = (carrier: object | undefined, request: HttpRequest, response: HttpResponse) => void;

/** No time limit here: requests and streams last as long as turns do (SVC-03), and headers are timed by connection. */
function openHttp1(dispatch: Dispatch): Http1Server {
  const options = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  return process
    .getBuiltinModule("node:http")
    .createServer(options, (request, response) => dispatch(request.socket, request, response));
}

function openHttp2(dispatch: Dispatch): Http2Server {
  const options = { settings: { maxConcurrentStreams: MAX_STREAMS } };
  return process
    .getBuiltinModule("node:http2")
    .createServer(options, (request, response) => dispatch(request.stream.session, request, response));
}
