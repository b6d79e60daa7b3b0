// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** For the server's own tests: a server on a socket in a temporary folder, and clients of every kind. */
export { type RawAnswer, type RawConnection, openRaw } from "./raw-client.js";
export { type Client, clientOf, type Kind, KINDS } from "./clients.js";
export { type Implementation, startTestServer, type TestServer } from "./test-server.js";
