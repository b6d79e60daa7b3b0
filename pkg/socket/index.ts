// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Where the service is, and whether something answers there: what every front end asks at its start, so this
 * door loads next to nothing. Listening there is `@blitz/socket/listen`; talking to it is the client's.
 */
export { defaultEndpoint, type EndpointOptions } from "./endpoint.js";
export { isAnswering } from "./probe.js";
