// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The contract over the service's API: a workspace of a running service as a `Backend`, and the service itself
 * (CL-01…22). Loaded at every start of a front end while a service runs, so it stays small. It starts no service.
 */
export { type AttachOptions, attach, attachTransport } from "./attach.js";
export type { Reconnect } from "./reconnect.js";
export {
  createServiceClient,
  type LogPage,
  type LogQuery,
  type LogRecord,
  openService,
  type ServiceClient,
  type ServiceInfo,
  type ServiceOptions,
} from "./service.js";
export { createUnixTransport, type UnixTransport } from "./unix-transport.js";
