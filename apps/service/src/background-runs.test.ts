// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { apiError, NO_USAGE, type TurnHandlers } from "@blitz/api";
import type { Workspace } from "@blitz/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBackgroundRuns } from "./background-runs.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-runs-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs over a workspace whose turns end when the test says so. */
function setUp() {
  const file = path.join(dir, "run", "background.json");
  const turns: TurnHandlers[] = [];
  const warnings: string[] = [];
  let sessions = 0;
  const workspace = {
    dir: "/w",
    newSession: async () => ({ id: `session-${++sessions}` }),
    pendingRequests: async () => [],
    cancelTurn: async () => true,
    run: async (_id: string, turn: { text: string }, handlers: TurnHandlers) => {
      turns.push(handlers);
      if (turn.text === "no model") throw apiError("MODEL_UNAVAILABLE", "no model is set up", { model: "" });
      return await new Promise(() => undefined);
    },
  } as unknown as Workspace;
  const runs = createBackgroundRuns({
    workspaces: { get: async () => workspace },
    file,
    now: () => new Date(5),
    log: { warn: (message) => void warnings.push(message) },
  });
  const end = (at: number, costUsd = 0): void =>
    turns[at]?.onLive?.({
      n: 1,
      turnId: "e",
      type: "finished",
      end: { output: "", before: NO_USAGE, after: { ...NO_USAGE, costUsd }, leftover: [] },
    });
  return { runs, file, end, warnings };
}

describe("the list of background runs", () => {
  it("keeps every active run and the latest fifty that ended, newest first, in a file of the owner's (SVC-24)", async () => {
    const { runs, file, end } = setUp();
    for (let at = 0; at < 53; at++) await runs.startBackground("/w", { text: `run ${at}` }, "cli;x");
    for (let at = 1; at < 53; at++) end(at, 0.5);
    const listed = await runs.listBackground();
    expect([listed.length, listed[0]?.id, listed.at(-1)?.id, listed.at(-2)?.id]).toEqual([51, "bg-53", "bg-1", "bg-4"]);
    expect(listed[0]).toMatchObject({ state: "done", costUsd: 0.5, ended: new Date(5), prompt: "run 52" });
    expect(listed.at(-1)).toMatchObject({ state: "running" });
    await runs.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((JSON.parse(readFileSync(file, "utf8")) as { runs: unknown[] }).runs).toHaveLength(51);
  });

  it("says why a run couldn't begin, and stops one that is asked to", async () => {
    const { runs } = setUp();
    await runs.startBackground("/w", { text: "no model" }, "cli;x");
    const { id } = await runs.startBackground("/w", { text: "go" }, "cli;x");
    await expect.poll(async () => (await runs.listBackground())[1]?.state).toBe("failed");
    expect((await runs.listBackground())[1]?.error).toBe("no model is set up");
    expect(await runs.stopBackground(id)).toMatchObject({ state: "stopped" });
    expect(await runs.stopBackground(id)).toMatchObject({ state: "stopped" });
  });

  it("begins anew over a list that can't be read, and says so", async () => {
    const first = setUp();
    await first.runs.startBackground("/w", { text: "go" }, "cli;x");
    await first.runs.close();
    writeFileSync(first.file, "{half");
    const second = setUp();
    await second.runs.restore();
    expect([await second.runs.listBackground(), second.warnings]).toEqual([
      [],
      [expect.stringContaining("can't be read")],
    ]);
  });
});
