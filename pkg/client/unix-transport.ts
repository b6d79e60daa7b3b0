// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Interceptor, Transport } from "@connectrpc/connect";
import { createTransport } from "@connectrpc/connect/protocol-connect";
import { createSocketClient } from "./socket-client.js";

/** A transport to the service's socket. */
export interface UnixTransport {
  readonly transport: Transport;
  /** Closes every connection, also those of calls that still run. */
  readonly close: () => void;
}

/** What the service may send at once: more than it takes, since events carry what tools returned. */
const READ_MAX_BYTES: number = 64 << 20;
/** What the service takes at once (SVC-05). */
const WRITE_MAX_BYTES: number = 32 << 20;
/** The longest name a service shows, kind included. */
const MAX_NAME: number = 88;

/**
 * The Connect protocol over the service's local socket. Small on purpose: a front end loads it at every start, and
 * `@connectrpc/connect-node` brings HTTP/2 and compression along. Connects with the first call.
 *
 * @param endpoint - the socket's path, or a named pipe's on Windows
 * @param client - how this client names itself: `<kind>;<label>`, e.g. `cli;pts/3` (PRT-08)
 */
export function createUnixTransport(endpoint: string, client: string): UnixTransport {
  const { httpClient, close } = createSocketClient(endpoint);
  const transport = createTransport({
    httpClient,
    baseUrl: "http://blitz",
    useBinaryFormat: true,
    interceptors: [naming(client)],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: WRITE_MAX_BYTES,
    readMaxBytes: READ_MAX_BYTES,
    writeMaxBytes: WRITE_MAX_BYTES,
  });
  return { transport, close };
}

/** Names the client in every call; what a header can't hold is left out. */
function naming(client: string): Interceptor {
  const name = client.replace(/[^\x20-\x7e]/g, "").slice(0, MAX_NAME);
  return (next) => async (request) => {
    request.header.set("x-blitz-client", name);
    return await next(request);
  };
}
