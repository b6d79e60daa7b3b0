// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { chmodSync, lstatSync, renameSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { type Lock, tryLock } from "@blitz/lock";
import { socketPathLimit, fitsSocketPath } from "../path-limit.js";
import { probe } from "../probe.js";
import { ListenError } from "./listen-error.js";
import { type FileIdentity, makePrivateDir, removeOwn, removeStaleSocket } from "./place.js";

/** What listening needs. */
export interface ListenOptions {
  /**
   * Gets every connection, from the first, also those of programs that only look whether there is an answer. They
   * allow half-open ends: whoever gets one ends it, and listens for its `error`.
   */
  readonly onConnection: (socket: Socket) => void;
  /** How long a service that is there may take to answer; 1,000 when left out. */
  readonly probeTimeoutMs?: number;
}

/** An endpoint this process has. */
export interface Listener {
  /** Tells later trouble with accepting (too many open files) by `error`, which needs a listener. */
  readonly server: Server;
  /**
   * Stops accepting, removes the socket if the one there is still this one, and frees the endpoint for the next
   * service. All of it has happened when the call returns its promise, so an exit handler may use it. Open
   * connections are their owner's, and not waited for. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Listens at an endpoint (SVC-02): never on a network port, in a directory and on a socket only this user can reach.
 * Of several processes at once exactly one gets it, and keeps the directory's lock while it listens; so a directory
 * has one service. A socket whose process died is replaced, any other file is kept.
 *
 * @param endpoint - an absolute path, or a pipe's name on Windows
 * @throws ListenError with the `kind` of the problem; nothing is left behind
 */
export async function openListener(endpoint: string, options: ListenOptions): Promise<Listener> {
  if (process.platform === "win32") return await openPipe(endpoint, options);
  if (!path.isAbsolute(endpoint)) throw new ListenError("failed", `"${endpoint}" isn't an absolute path`);
  if (!fitsSocketPath(endpoint, process.platform)) throw tooLong(endpoint);
  return await openSocket(path.resolve(endpoint), options);
}

async function openSocket(endpoint: string, options: ListenOptions): Promise<Listener> {
  using opened = new DisposableStack(); // a failure below closes what is open
  opened.use(await takeDirectory(path.dirname(endpoint)));
  await expectNobody(endpoint, options.probeTimeoutMs ?? 1_000);
  const server = createServer({ allowHalfOpen: true }, options.onConnection);
  opened.defer(() => void server.close());
  const socket = await typed(`can't listen on ${endpoint}`, () => listenPrivately(server, endpoint));
  opened.defer(() => removeOwn(endpoint, socket));
  return listenerOf(server, opened.move());
}

function listenerOf(server: Server, owned: DisposableStack): Listener {
  return {
    server,
    close: () => {
      owned.dispose(); // the socket, the server, then the lock
      return Promise.resolve();
    },
  };
}

/** The pipe's name is the lock: Windows lets one process make it. */
async function openPipe(endpoint: string, options: ListenOptions): Promise<Listener> {
  await expectNobody(endpoint, options.probeTimeoutMs ?? 1_000);
  const server = createServer({ allowHalfOpen: true }, options.onConnection);
  await typed(`can't listen on ${endpoint}`, () => once(server.listen({ path: endpoint }), "listening"));
  const owned = new DisposableStack();
  owned.defer(() => void server.close());
  return listenerOf(server, owned);
}

async function takeDirectory(dir: string): Promise<Lock> {
  const lock = await typed(`can't prepare ${dir}`, async () => {
    makePrivateDir(dir);
    return await tryLock(path.join(dir, "blitzd.lock.db"));
  });
  if (lock === undefined) throw new ListenError("answering", `another service is starting or running in ${dir}`);
  return lock;
}

async function expectNobody(endpoint: string, timeoutMs: number): Promise<void> {
  const found = await probe(endpoint, timeoutMs);
  if (found === "answering") throw new ListenError("answering", `a service is running at ${endpoint}`);
  if (found === "unclear") throw new ListenError("failed", `can't tell whether a service is running at ${endpoint}`);
}

/**
 * Binds under a name beside the endpoint and renames. So nobody sees a socket before its mode is right, and Node.js,
 * which at closing removes the name it bound without looking, can't remove another service's socket.
 */
async function listenPrivately(server: Server, endpoint: string): Promise<FileIdentity> {
  removeStaleSocket(endpoint);
  const bound = nameBeside(endpoint);
  removeStaleSocket(bound);
  const umask = process.umask(0o077);
  try {
    server.listen({ path: bound }); // binds before it returns
  } finally {
    process.umask(umask);
  }
  await once(server, "listening");
  chmodSync(bound, 0o600);
  renameSync(bound, endpoint);
  return lstatSync(endpoint);
}

/** Not longer than the endpoint, so it fits as well, and the same each time, so a crash leaves at most one. */
function nameBeside(endpoint: string): string {
  return endpoint.replace(/.$/su, (last) => (last === "~" ? "-" : "~"));
}

/** Runs a step of starting; what it fails with becomes a ListenError. */
async function typed<T>(what: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ListenError) throw error;
    const busy = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const why = error instanceof Error ? error.message : String(error);
    throw new ListenError(busy ? "answering" : "failed", `${what}: ${why}`, error);
  }
}

function tooLong(endpoint: string): ListenError {
  const limit = socketPathLimit(process.platform);
  return new ListenError(
    "path-too-long",
    `the socket's path is ${Buffer.byteLength(endpoint)} bytes long, and the system takes ${limit}: ${endpoint}`,
  );
}
