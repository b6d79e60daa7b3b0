// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { apiError } from "@blitz/api";
import type { Workspace } from "@blitz/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaces } from "./workspaces.js";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-workspaces-")));
  for (const name of ["a", "b"]) mkdirSync(path.join(base, name));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Workspaces that only know whether they are busy and closed. */
function setUp() {
  const opened: string[] = [];
  const closed: string[] = [];
  const state = { busy: false, failWith: undefined as Error | undefined, gate: Promise.resolve() };
  const workspaces = createWorkspaces({
    open: async (dir) => {
      opened.push(path.basename(dir));
      await state.gate;
      if (state.failWith !== undefined) throw state.failWith;
      const close = async (): Promise<void> => void closed.push(path.basename(dir));
      const windDown = async (ms: number): Promise<void> => void closed.push(`${path.basename(dir)} within ${ms}`);
      return { dir, busy: () => state.busy, close, windDown } as unknown as Workspace;
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  return { workspaces, opened, closed, state };
}

describe("the service's workspaces", () => {
  it("opens a directory once, by whatever name, for callers at the same time (SVC-10, 11)", async () => {
    const { workspaces, opened } = setUp();
    symlinkSync("a", path.join(base, "link"));
    const found = await Promise.all(["a", "link", "a/../a"].map((name) => workspaces.get(path.join(base, name))));
    expect(new Set(found).size).toBe(1);
    await workspaces.get(path.join(base, "b"));
    expect([opened, workspaces.list()]).toEqual([
      ["a", "b"],
      [path.join(base, "a"), path.join(base, "b")],
    ]);
  });

  it.each([
    ["a relative path", "a"],
    ["an empty one", ""],
    ["a missing one", "/nowhere/at/all"],
    ["a file", "FILE"],
  ])("refuses %s (SVC-10)", async (_name, dir) => {
    writeFileSync(path.join(base, "file"), "");
    const { workspaces, opened } = setUp();
    const asked = dir === "FILE" ? path.join(base, "file") : dir;
    await expect(workspaces.get(asked)).rejects.toMatchObject({
      reason: "INVALID_WORKSPACE",
      metadata: { workspace: asked },
    });
    expect(opened).toEqual([]);
  });

  it("lets a caller go away and goes on opening for the others (SVC-11)", async () => {
    const { workspaces, opened, state } = setUp();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const gone = new AbortController();
    const first = workspaces.get(path.join(base, "a"), gone.signal);
    await expect.poll(() => opened).toEqual(["a"]);
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    const second = workspaces.get(path.join(base, "a"));
    gate.resolve();
    expect((await second).dir).toBe(path.join(base, "a"));
    expect(opened).toEqual(["a"]);
  });

  it("holds nobody up who wants another workspace (SVC-11)", async () => {
    const { workspaces, state, opened } = setUp();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const slow = workspaces.get(path.join(base, "a"));
    await expect.poll(() => opened).toEqual(["a"]);
    state.gate = Promise.resolve();
    expect((await workspaces.get(path.join(base, "b"))).dir).toBe(path.join(base, "b"));
    gate.resolve();
    await slow;
  });

  it("tries again after a failure, which it tells with its own reason or as OPEN_FAILED (SVC-11)", async () => {
    const { workspaces, state } = setUp();
    const dir = path.join(base, "a");
    state.failWith = apiError("WORKSPACE_BUSY", "open elsewhere", { workspace: dir, pid: "7" });
    await expect(workspaces.get(dir)).rejects.toMatchObject({ reason: "WORKSPACE_BUSY", metadata: { pid: "7" } });
    state.failWith = new Error("disk on fire");
    await expect(workspaces.get(dir)).rejects.toMatchObject({
      reason: "OPEN_FAILED",
      message: expect.stringContaining("disk on fire"),
    });
    state.failWith = undefined;
    expect((await workspaces.get(dir)).dir).toBe(dir);
  });

  it("closes one unless a turn runs in it, and opens it anew afterwards (SVC-14, PRT-22)", async () => {
    const { workspaces, opened, closed, state } = setUp();
    const dir = path.join(base, "a");
    await workspaces.close(dir);
    await workspaces.get(dir);
    state.busy = true;
    await expect(workspaces.close(dir)).rejects.toMatchObject({ reason: "TURN_RUNNING", metadata: { workspace: dir } });
    state.busy = false;
    await workspaces.close(dir);
    await workspaces.get(dir);
    expect([opened, closed]).toEqual([["a", "a"], ["a"]]);
  });

  it("winds every workspace down, and opens no more (SVC-04)", async () => {
    const { workspaces, closed } = setUp();
    for (const name of ["a", "b"]) await workspaces.get(path.join(base, name));
    await workspaces.windDown(5);
    expect(closed).toEqual(["a within 5", "b within 5"]);
    await expect(workspaces.get(path.join(base, "a"))).rejects.toMatchObject({ reason: "SHUTTING_DOWN" });
  });

  it("closes all and opens no more when the service stops, also what is just opening (SVC-04)", async () => {
    const { workspaces, closed, state, opened } = setUp();
    await workspaces.get(path.join(base, "a"));
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const late = workspaces.get(path.join(base, "b"));
    await expect.poll(() => opened.length).toBe(2);
    const closing = workspaces.closeAll();
    await expect(workspaces.get(path.join(base, "a"))).rejects.toMatchObject({ reason: "SHUTTING_DOWN" });
    gate.resolve();
    await Promise.all([late, closing]);
    expect(closed.sort()).toEqual(["a", "b"]);
  });
});
