// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ClientRequest, Agent as HttpAgent, IncomingMessage } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import { decoded } from "./decoded.js";

/** What the SDKs take as `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** How connections are opened. */
export interface FetchOptions {
  /** Until the socket is connected; 30 s otherwise. */
  readonly connectMs?: number;
  /** Until TLS is agreed, after that; 15 s otherwise. */
  readonly tlsMs?: number;
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` in either case, as the environment has them (MDL-54). */
  readonly proxyEnv?: Readonly<Record<string, string>>;
  /** PEM certificates of authorities to trust besides the usual ones (MDL-54). */
  readonly extraCa?: readonly string[];
}

const RAW: unique symbol = Symbol("raw body");
type RawResponse = Response & { [RAW]?: Readable };

/**
 * Makes a `fetch` over `node:http` and `node:https` (MDL-50): sockets are kept for the next call,
 * bodies stream, redirects aren't followed (a key must not travel to another host), and the call ends
 * when its signal aborts. There is no limit on the whole call: stalls are watched by who reads it.
 * Bodies are strings or bytes. Idle sockets don't keep the process alive.
 */
export function createFetch(limits: FetchOptions = {}): Fetch {
  const proxy = limits.proxyEnv === undefined ? {} : { proxyEnv: limits.proxyEnv };
  const options = { keepAlive: true, keepAliveMsecs: 30_000, scheduling: "lifo", ...proxy } as const;
  const agents = createAgents(options, limits.extraCa ?? []);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const call: Call = { url, init, agents, limits, body: bodyBytes(init.body) };
    const incoming = await send(call).catch((error: unknown) => {
      // A kept socket may have been closed by the server just before it was used again; nothing was answered.
      if (error instanceof ReusedSocketError) return send(call);
      throw error;
    });
    return toResponse(incoming, init.signal ?? undefined);
  };
}

/** The bytes of a response, without the detour over web streams when our fetch made it. */
export function bodyOf(response: Response): AsyncIterable<Uint8Array> {
  const raw = (response as RawResponse)[RAW];
  if (raw !== undefined) return raw;
  return response.body ?? (async function* () {})();
}

/** Ends a body nobody will read further; closes its connection unless it had come whole. */
export function closeBody(response: Response): void {
  (response as RawResponse)[RAW]?.destroy();
}

/** Made when first used. The modules behind them are dear to load, and dearer by `import` (ADR 0007). */
interface Agents {
  readonly http: () => HttpAgent;
  readonly https: () => HttpsAgent;
}

function createAgents(options: ConstructorParameters<typeof HttpsAgent>[0], extraCa: readonly string[]): Agents {
  let http: HttpAgent | undefined;
  let https: HttpsAgent | undefined;
  return {
    http: () => {
      http ??= new (process.getBuiltinModule("node:http").Agent)(options);
      return http;
    },
    https: () => {
      const trusted =
        extraCa.length === 0
          ? {}
          : { ca: [...process.getBuiltinModule("node:tls").getCACertificates("default"), ...extraCa] };
      https ??= new (process.getBuiltinModule("node:https").Agent)({ ...options, ...trusted });
      return https;
    },
  };
}

interface Call {
  readonly url: URL;
  readonly init: RequestInit;
  readonly agents: Agents;
  readonly limits: FetchOptions;
  readonly body: Uint8Array | undefined;
}

/** The connection failed before an answer came, on a socket that had served before. */
class ReusedSocketError extends Error {}

function send({ url, init, agents, limits, body }: Call): Promise<IncomingMessage> {
  const signal = init.signal ?? undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const isTls = url.protocol === "https:";
    if (!isTls && url.protocol !== "http:") return reject(new Error(`not an http address: ${url.protocol}`));
    const headers = headersOf(init.headers);
    if (body !== undefined) headers["content-length"] = String(body.length);
    const start = (isTls ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http")).request;
    const request = start(url, {
      method: init.method ?? "GET",
      headers,
      agent: isTls ? agents.https() : agents.http(),
    });
    const onAbort = (): void => void request.destroy(signal === undefined ? undefined : reasonOf(signal));
    signal?.addEventListener("abort", onAbort, { once: true });
    request.once("close", () => signal?.removeEventListener("abort", onAbort));
    limitConnecting(request, isTls, limits);
    request.once("response", resolve);
    request.once("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const dropped = error.code === "ECONNRESET" || error.code === "EPIPE";
      reject(dropped && request.reusedSocket ? new ReusedSocketError() : networkError(error, url));
    });
    request.end(body);
  });
}

function limitConnecting(request: ClientRequest, isTls: boolean, limits: FetchOptions): void {
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const connectMs = limits.connectMs ?? 30_000;
    let timer = setTimeout(() => request.destroy(new Error(`no connection within ${connectMs} ms`)), connectMs);
    const done = (): void => clearTimeout(timer);
    socket.once("connect", () => {
      done();
      if (!isTls) return;
      const tlsMs = limits.tlsMs ?? 15_000;
      timer = setTimeout(() => request.destroy(new Error(`no TLS within ${tlsMs} ms`)), tlsMs);
      socket.once("secureConnect", done);
    });
    socket.once("close", done);
  });
}

/** A plain error, because SDKs treat a `TypeError` as a fault of the program. */
function networkError(cause: NodeJS.ErrnoException, url: URL): Error {
  const code = cause.code === undefined ? "" : ` (${cause.code})`;
  return Object.assign(
    new Error(`can't reach ${url.host}: ${cause.message || "connection failed"}${code}`, { cause }),
    {
      code: cause.code,
    },
  );
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("This operation was aborted", "AbortError");
}

function headersOf(given: RequestInit["headers"]): Record<string, string> {
  const headers: Record<string, string> = {};
  new Headers(given).forEach((value, name) => {
    headers[name] = value;
  });
  headers["accept-encoding"] ??= "identity";
  return headers;
}

function bodyBytes(body: RequestInit["body"]): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (body instanceof Uint8Array) return body;
  throw new Error("this fetch sends text or bytes only");
}

/** Statuses that must not have a body, as the Response class insists. */
const BODILESS: readonly number[] = [101, 103, 204, 205, 304];

function toResponse(incoming: IncomingMessage, signal: AbortSignal | undefined): Response {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  const raw = decoded(incoming, headers);
  const onAbort = (): void => void raw.destroy(signal === undefined ? undefined : reasonOf(signal));
  signal?.addEventListener("abort", onAbort, { once: true });
  raw.once("close", () => signal?.removeEventListener("abort", onAbort));
  // Without a listener, an abort between two reads would be an uncaught error; readers get it as well.
  raw.on("error", () => {});
  const status = incoming.statusCode ?? 500;
  const response: RawResponse = new Response(BODILESS.includes(status) ? null : lazyStream(raw), {
    status,
    statusText: incoming.statusMessage ?? "",
    headers,
  });
  response[RAW] = raw;
  return response;
}

/** Touches the socket's data only when somebody reads the web stream. */
function lazyStream(raw: Readable): ReadableStream<Uint8Array> {
  let pieces: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      pull: async (controller) => {
        pieces ??= raw[Symbol.asyncIterator]();
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void raw.destroy(),
    },
    { highWaterMark: 0 },
  );
}
