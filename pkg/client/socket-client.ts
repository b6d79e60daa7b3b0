// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalClientFn, UniversalClientRequest } from "@connectrpc/connect/protocol";

/** HTTP over a local socket. */
export interface SocketClient {
  readonly httpClient: UniversalClientFn;
  /** Closes every connection, also those of calls that still run. */
  readonly close: () => void;
}

/**
 * HTTP over a local socket, as a Connect transport asks for it. Idle connections are kept for the next call and never
 * keep the process; there may be any number at once, so that a stream never holds up an answer (SVC-03).
 */
export function createSocketClient(socketPath: string): SocketClient {
  const http = process.getBuiltinModule("node:http"); // an import would load Node's web client too (ADR 0007)
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const httpClient: UniversalClientFn = async (call) => {
    const { signal } = call;
    // Requests are one message each (PRT-06), so the body is sent in one piece, and can be sent again.
    const body = await collect(call.body);
    const open = (): ClientRequest => http.request(optionsOf(agent, socketPath, call));
    const response = await send(open, body, signal).catch((error: unknown) => {
      throw connectError(error, signal);
    });
    return {
      status: response.statusCode ?? 0,
      header: headersOf(response),
      body: chunks(response, signal),
      trailer: new Headers(), // the Connect protocol has its own
    };
  };
  return { httpClient, close: () => agent.destroy() };
}

function optionsOf(agent: Agent, socketPath: string, { url, method, header, signal }: UniversalClientRequest) {
  const { host, pathname, search } = new URL(url);
  const headers = { ...Object.fromEntries(header), host };
  const options = { agent, socketPath, path: pathname + search, method, headers };
  return signal === undefined ? options : { ...options, signal };
}

/** Sends a request and waits for the head of its response. */
async function send(
  open: () => ClientRequest,
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const first = open();
  try {
    return await responseOf(first, body);
  } catch (error) {
    // A kept connection the service had closed meanwhile: it never saw the request.
    if (first.reusedSocket && isBroken(error) && signal?.aborted !== true) return await responseOf(open(), body);
    throw error;
  }
}

function responseOf(sent: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject); // stays: an abort after the response is an error of the request too
    sent.once("response", resolve);
    sent.end(body);
  });
}

/** A response's body as it arrives. Leaving it early closes the connection. */
async function* chunks(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (error) {
    throw connectError(error, signal);
  }
}

async function collect(body: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  return Buffer.concat(parts);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** The caller's abort as itself; everything else that breaks a connection is a service that can't be reached. */
function connectError(error: unknown, signal: AbortSignal | undefined): ConnectError {
  if (signal?.aborted === true) return ConnectError.from(signal.reason, Code.Canceled);
  const words = error instanceof Error ? error.message : String(error);
  return new ConnectError(words, Code.Unavailable, undefined, undefined, error);
}
