// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The service's server: Connect, gRPC and gRPC-Web over connections somebody else accepts (SVC-03). It knows HTTP and
 * its limits, and nothing of what the calls do: those are the routes. It never listens, so no network port can open
 * here. `node:http` and `node:http2` are loaded when the first connection speaks them.
 */
export { clientName } from "./client-name.js";
export { createServer, type Server, type ServerLog, type ServerOptions } from "./server.js";
export { createStreamQueue, type StreamQueue, type StreamQueueOptions } from "./stream-queue.js";
