// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { HttpResponse } from "./http-servers.js";
import { orAborted } from "./or-aborted.js";

/** The part of both versions' responses that is used here. */
interface Writable {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): boolean;
  addTrailers(trailers: Record<string, string>): unknown;
  end(): unknown;
  on(event: "drain", listener: () => void): unknown;
  off(event: "drain", listener: () => void): unknown;
}

/**
 * Writes an answer. The next message is only asked for when the client, or the socket's buffer, took the last one:
 * what a slow client doesn't read stays where it comes from (SVC-63).
 *
 * @param extra - headers besides the answer's own
 * @param signal - aborts when the client is gone
 */
export async function writeResponse(
  target: HttpResponse,
  answer: UniversalServerResponse,
  extra: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const response: Writable = target;
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(answer.status, { ...plain(answer.header), ...extra });
  };
  for await (const chunk of answer.body ?? []) {
    signal.throwIfAborted();
    begin();
    if (!response.write(chunk)) await drained(response, signal);
  }
  signal.throwIfAborted();
  begin();
  if (answer.trailer !== undefined) response.addTrailers(plain(answer.trailer));
  response.end();
}

/** An answer of one line of text. */
export interface PlainAnswer {
  readonly status: number;
  readonly text: string;
}

/** Writes an answer of one line of text, with headers besides its own. */
export function writePlain(
  target: HttpResponse,
  { status, text }: PlainAnswer,
  extra: Readonly<Record<string, string>>,
): void {
  const response: Writable = target;
  const body = Buffer.from(`${text}\n`);
  const headers = { "content-type": "text/plain; charset=utf-8", "content-length": String(body.length) };
  response.writeHead(status, { ...headers, ...extra });
  response.write(body);
  response.end();
}

async function drained(response: Writable, signal: AbortSignal): Promise<void> {
  const drain = Promise.withResolvers<void>();
  response.on("drain", drain.resolve);
  try {
    await orAborted(drain.promise, signal);
  } finally {
    response.off("drain", drain.resolve);
  }
}

function plain(headers: Headers | undefined): Record<string, string> {
  const values: Record<string, string> = {};
  headers?.forEach((value, name) => {
    values[name] = value;
  });
  return values;
}
