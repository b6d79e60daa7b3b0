// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { connect } from "node:net";
import { SessionService } from "@blitz/proto/session";
import { WorkspaceService } from "@blitz/proto/workspace";
import { type Client as ConnectClient, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import type { Compression } from "@connectrpc/connect/protocol";

/** Protocol and HTTP version of a client. */
export type Kind = "connect-json" | "connect" | "grpc-web" | "connect-h2" | "grpc-web-h2" | "grpc";
/** All of them. */
export const KINDS: readonly Kind[] = ["connect-json", "connect", "grpc-web", "connect-h2", "grpc-web-h2", "grpc"];

/** Generated clients over one transport. */
export interface Client {
  readonly workspace: ConnectClient<typeof WorkspaceService>;
  readonly session: ConnectClient<typeof SessionService>;
  [Symbol.dispose](): void;
}

/** How a client sends. */
export interface ClientOptions {
  readonly useHttpGet?: boolean;
  readonly sendCompression?: Compression;
}

/** A client of a kind, speaking to a socket. */
export function clientOf(kind: Kind, socketPath: string, options: ClientOptions = {}): Client {
  const sessions = new Http2SessionManager("http://blitz", {}, { createConnection: () => connect(socketPath) });
  const transport = transportOf(kind, socketPath, sessions, options);
  return {
    workspace: createClient(WorkspaceService, transport),
    session: createClient(SessionService, transport),
    [Symbol.dispose]: () => sessions.abort(),
  };
}

function transportOf(
  kind: Kind,
  socketPath: string,
  sessionManager: Http2SessionManager,
  options: ClientOptions,
): Transport {
  const http1 = { baseUrl: "http://blitz", httpVersion: "1.1", nodeOptions: { socketPath }, ...options } as const;
  const http2 = { baseUrl: "http://blitz", httpVersion: "2", sessionManager, ...options } as const;
  switch (kind) {
    case "connect-json":
      return createConnectTransport({ ...http1, useBinaryFormat: false });
    case "connect":
      return createConnectTransport(http1);
    case "connect-h2":
      return createConnectTransport(http2);
    case "grpc-web":
      return createGrpcWebTransport(http1);
    case "grpc-web-h2":
      return createGrpcWebTransport(http2);
    case "grpc":
      return createGrpcTransport({ baseUrl: "http://blitz", sessionManager, ...options });
  }
}
