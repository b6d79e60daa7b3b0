// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Socket } from "node:net";

/** A connection and the calls on it. */
export interface Connection {
  readonly socket: Socket;
  /** Counts a call that begins; what it returns is called once, when the call is over. */
  begin(): () => void;
  /** Says how its protocol takes leave; without it the socket is destroyed. */
  onClose(sayGoodbye: () => void): void;
}

/** The open connections, for the end of the service (SVC-04). */
export interface Connections {
  /** Takes a connection in; `undefined` when it was destroyed, because everything ends. */
  add(socket: Socket): Connection | undefined;
  /**
   * Closes idle connections now, and the others when no call goes on any more. Until then those and new ones may ask,
   * so that they can be told.
   */
  closeIdle(): void;
  /** Destroys what is left. */
  destroyAll(): void;
  /** Resolves when connections are being closed and none is left. */
  readonly gone: Promise<void>;
}

/** How long a peer may take to close a connection after the goodbye. */
const GOODBYE_MS = 1_000;

interface Tracked extends Connection {
  readonly calls: number;
  close(): void;
}

/**
 * Keeps track of connections, and destroys those that begin no call soon.
 *
 * @param headerTimeoutMs - what a connection has for the headers of its first request
 */
export function createConnections(headerTimeoutMs: number): Connections {
  const open = new Set<Tracked>();
  const gone = Promise.withResolvers<void>();
  let state: "open" | "closing" | "closed" = "open";
  let calls = 0;

  /** What is due after a call ended or a connection went. */
  const settle = (): void => {
    if (state === "open") return;
    if (calls === 0) {
      state = "closed";
      for (const connection of open) connection.close();
    }
    if (open.size === 0) gone.resolve();
  };
  const onCall = (change: 1 | -1): void => {
    calls += change;
    if (change === -1) settle();
  };
  return {
    add: (socket) => {
      if (state === "closed") {
        socket.destroy();
        return undefined;
      }
      const connection = track(socket, { onCall, headerTimeoutMs });
      open.add(connection);
      socket.once("close", () => {
        open.delete(connection);
        settle();
      });
      return connection;
    },
    closeIdle: () => {
      if (state === "open") state = "closing";
      for (const connection of open) if (connection.calls === 0) connection.close();
      settle();
    },
    destroyAll: () => {
      state = "closed";
      for (const { socket } of open) socket.destroy();
      settle();
    },
    gone: gone.promise,
  };
}

interface Owner {
  readonly onCall: (change: 1 | -1) => void;
  readonly headerTimeoutMs: number;
}

function track(socket: Socket, { onCall, headerTimeoutMs }: Owner): Tracked {
  const limit = setTimeout(() => socket.destroy(), headerTimeoutMs);
  socket.once("close", () => clearTimeout(limit));
  let calls = 0;
  let goodbye: (() => void) | undefined;
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    if (goodbye === undefined) {
      socket.destroy();
      return;
    }
    goodbye();
    const timer = setTimeout(() => socket.destroy(), GOODBYE_MS);
    socket.once("close", () => clearTimeout(timer));
  };
  return {
    socket,
    get calls() {
      return calls;
    },
    begin: () => {
      clearTimeout(limit);
      calls += 1;
      onCall(1);
      return () => {
        calls -= 1;
        onCall(-1);
      };
    },
    onClose: (sayGoodbye) => {
      goodbye = sayGoodbye;
    },
    close,
  };
}
