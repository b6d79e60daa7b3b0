// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { connect } from "node:net";
import { fitsSocketPath } from "./path-limit.js";

/**
 * What is at an endpoint: `answering`; `nobody` has it (no file, or one whose owner is gone); `unclear` when it can't
 * be told: no permission, no answer in time.
 */
export type Probed = "answering" | "nobody" | "unclear";

/** Refused: not a socket, or one without a process. */
const NOBODY: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "ENOTDIR"]);

/** Connects and closes at once. Never throws. */
export function probe(endpoint: string, timeoutMs: number): Promise<Probed> {
  if (endpoint === "" || !fitsSocketPath(endpoint, process.platform)) return Promise.resolve("nobody");
  return new Promise((resolve) => {
    const socket = connect({ path: endpoint });
    const settle = (found: Probed): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(timeoutMs, () => settle("unclear"));
    socket.once("connect", () => settle("answering"));
    socket.on("error", (error: NodeJS.ErrnoException) => settle(NOBODY.has(error.code ?? "") ? "nobody" : "unclear"));
  });
}

/**
 * Whether something accepts connections at an endpoint. False when nothing does, when it isn't a socket, and when
 * there is no answer in time.
 *
 * @param timeoutMs - how long to wait; 1,000 when left out
 */
export async function isAnswering(endpoint: string, timeoutMs: number = 1_000): Promise<boolean> {
  return (await probe(endpoint, timeoutMs)) === "answering";
}
