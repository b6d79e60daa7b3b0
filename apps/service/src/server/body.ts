// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Code, ConnectError } from "@connectrpc/connect";
import type { Call } from "./call.js";
import type { HttpRequest } from "./http-servers.js";
import { orAborted } from "./or-aborted.js";
import type { Places } from "./places.js";

/** What reading bodies needs. */
export interface BodyDeps {
  /** Taken by each large body, from when it turns out to be one until it is parsed. */
  readonly places: Places;
  /** The longest message, in bytes. */
  readonly maxBytes: number;
  /** How long a large body may take once it has its place, which others wait for. */
  readonly timeoutMs: number;
}

/** Up to here a body takes no place: as much as HTTP itself holds of each request anyway. */
const SMALL_BYTES: number = 64 << 10;
/** What streaming protocols put around a message. */
const ENVELOPE_BYTES = 5;
/** Where the protocols say that a body is compressed; a short one may become a long message. */
const ENCODINGS: readonly string[] = ["content-encoding", "connect-content-encoding", "grpc-encoding"];

/**
 * A request's body, read as a whole when it is first asked for: each call here takes one message (PRT-06).
 *
 * @throws ConnectError `resource_exhausted` for a body too long or, being large, too slow. What then still comes is
 *   thrown away as it comes
 */
export async function* bodyOf(
  deps: BodyDeps,
  request: HttpRequest,
  call: PlacedCall,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = await readBody(deps, request, call, signal);
  if (bytes.length > 0) yield bytes;
}

/** A call that can be given a place to hold until it is released. */
export interface PlacedCall extends Call {
  hold(release: () => void): void;
}

async function readBody(deps: BodyDeps, request: HttpRequest, call: PlacedCall, signal: AbortSignal): Promise<Buffer> {
  const limit = deps.maxBytes + ENVELOPE_BYTES;
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limit) throw tooLong(deps.maxBytes);
  const late = new AbortController();
  const until = AbortSignal.any([signal, late.signal]);
  let timer: NodeJS.Timeout | undefined;
  const takePlace = async (): Promise<void> => {
    call.hold(await deps.places.take(signal));
    timer = setTimeout(() => late.abort(tooSlow()), deps.timeoutMs);
  };
  try {
    if (declared > SMALL_BYTES || isCompressed(request)) await takePlace();
    const held = createBuffer(declared);
    await collect(request, until, (chunk) => {
      if (held.length + chunk.length > limit) throw tooLong(deps.maxBytes);
      held.append(chunk);
      return timer === undefined && held.length > SMALL_BYTES ? takePlace() : undefined;
    });
    return held.bytes();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Gives each chunk to `take`, and nothing more while that waits. Not by async iteration: leaving that early either
 * destroys the request, and with it the answer, or leaves it blocked.
 */
async function collect(
  request: HttpRequest,
  signal: AbortSignal,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const onData = (chunk: Buffer): void => {
    try {
      const wait = take(chunk);
      if (wait === undefined) return;
      request.pause();
      wait.then(() => void request.resume(), ended.reject);
    } catch (error) {
      ended.reject(error);
    }
  };
  request.on("data", onData);
  request.on("end", ended.resolve);
  try {
    await orAborted(ended.promise, signal);
  } finally {
    request.off("data", onData);
    request.off("end", ended.resolve);
  }
}

interface GrowingBuffer {
  readonly length: number;
  append(chunk: Buffer): void;
  bytes(): Buffer;
}

/** Bytes in one piece, however small the chunks they come in. */
function createBuffer(expected: number): GrowingBuffer {
  let space = Buffer.allocUnsafe(expected);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append: (chunk) => {
      const needed = length + chunk.length;
      if (needed > space.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, 2 * space.length));
        space.copy(larger, 0, 0, length);
        space = larger;
      }
      chunk.copy(space, length);
      length = needed;
    },
    bytes: () => space.subarray(0, length),
  };
}

function isCompressed(request: HttpRequest): boolean {
  return ENCODINGS.some((name) => (request.headers[name] ?? "identity") !== "identity");
}

function tooLong(maxBytes: number): ConnectError {
  return new ConnectError(`the request is longer than ${maxBytes} bytes`, Code.ResourceExhausted);
}

function tooSlow(): ConnectError {
  return new ConnectError("the request comes too slowly for its size", Code.ResourceExhausted);
}
