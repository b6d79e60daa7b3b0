// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createConnections } from "./connections.js";

describe("connections", () => {
  it("don't wait for a peer that doesn't answer the goodbye (SVC-04)", async () => {
    const connections = createConnections(60_000);
    const socket = new Socket();
    let goodbyes = 0;
    connections.add(socket)?.onClose(() => {
      goodbyes += 1;
    });
    connections.closeIdle();
    expect(socket.destroyed).toBe(false);
    await connections.gone;
    expect([goodbyes, socket.destroyed]).toEqual([1, true]);
  });

  it("are refused once all are gone, and that is told once (SVC-04)", async () => {
    const connections = createConnections(60_000);
    connections.closeIdle();
    await connections.gone;
    const socket = new Socket();
    expect(connections.add(socket)).toBeUndefined();
    expect(socket.destroyed).toBe(true);
  });
});
