// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Socket } from "node:net";
import { apiError } from "@blitz/api";
import { errorToConnect } from "@blitz/wire";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { createErrorInterceptor, type ServerLog } from "./call-errors.js";
import { createConnections } from "./connections.js";
import { createExchange } from "./exchange.js";
import { GZIP } from "./gzip.js";
import { createHttpServers, type OnRequest } from "./http-servers.js";
import { createPlaces } from "./places.js";
import { awaitProtocol } from "./preface.js";

export type { ServerLog } from "./call-errors.js";

/** What a server serves, and its limits. */
export interface ServerOptions {
  /** Registers the services. Called with the first request, so it may refer to the server. */
  readonly routes: (router: ConnectRouter) => void;
  readonly log: ServerLog;
  /** The longest request message, compressed or not; 32 MiB when left out (SVC-05). */
  readonly maxBodyBytes?: number;
  /**
   * How long a connection has for its first request's headers, a large body to arrive, and a client that fell behind
   * to catch up; 10,000 when left out. A turn's stream has no limit (SVC-03).
   */
  readonly headerTimeoutMs?: number;
}

/** Serves connections. */
export interface Server {
  /** Takes over a connection, to its end and its errors. */
  readonly onConnection: (socket: Socket) => void;
  /**
   * Refuses new calls with `SHUTTING_DOWN`, gives those going on `graceMs`, and cuts the rest; idle connections are
   * closed at once (SVC-04). Resolves when no connection is left. Idempotent: the first call counts.
   */
  stop(graceMs: number): Promise<void>;
  /** Aborts, with `SHUTTING_DOWN`, when the stop begins: streams end on it, or are cut after the grace. */
  readonly stopping: AbortSignal;
}

const MAX_BODY_BYTES: number = 32 << 20;
const HEADER_TIMEOUT_MS = 10_000;
/** Large requests held at a time, so at most 64 MiB of them: one a person uploads, and one beside it. */
const LARGE_REQUESTS = 2;
/** Shorter answers cost more to compress than to send over a local socket. */
const COMPRESS_MIN_BYTES = 4096;

/** Makes a server. It costs nothing until its first request. */
export function createServer(options: ServerOptions): Server {
  const connections = createConnections(options.headerTimeoutMs ?? HEADER_TIMEOUT_MS);
  const stopping = new AbortController();
  let onRequest: OnRequest | undefined;
  const serve = createHttpServers((...exchange) => {
    onRequest ??= openExchange(options, stopping.signal);
    onRequest(...exchange);
  });

  const onConnection = (socket: Socket): void => {
    socket.on("error", () => undefined); // the end of a connection is told by `close`
    const connection = connections.add(socket);
    if (connection !== undefined) awaitProtocol(socket, (protocol) => serve(connection, protocol));
  };

  let stopped: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    stopping.abort(shuttingDown());
    connections.closeIdle();
    const grace = setTimeout(connections.destroyAll, graceMs);
    await connections.gone;
    clearTimeout(grace);
  };
  return {
    onConnection,
    stopping: stopping.signal,
    stop: (graceMs) => {
      stopped ??= stop(graceMs);
      return stopped;
    },
  };
}

function openExchange({ routes, log, ...limits }: ServerOptions, stopping: AbortSignal): OnRequest {
  const { maxBodyBytes = MAX_BODY_BYTES, headerTimeoutMs = HEADER_TIMEOUT_MS } = limits;
  const router = createConnectRouter({
    readMaxBytes: maxBodyBytes,
    acceptCompression: [GZIP],
    compressMinBytes: COMPRESS_MIN_BYTES,
    interceptors: [createErrorInterceptor(log)],
    requestGate: () => {
      if (stopping.aborted) throw errorToConnect(shuttingDown());
    },
  });
  routes(router);
  const handlers = new Map<string, UniversalHandler>(router.handlers.map((handler) => [handler.requestPath, handler]));
  const bodies = { places: createPlaces(LARGE_REQUESTS), maxBytes: maxBodyBytes, timeoutMs: headerTimeoutMs };
  return createExchange({ handlers, bodies, log, stopping, catchUpMs: headerTimeoutMs });
}

function shuttingDown(): Error {
  return apiError("SHUTTING_DOWN", "the service is shutting down", {});
}
