// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { BackgroundRun } from "@blitz/api";
import { EN_US, loadMessages } from "@blitz/i18n";
import { describe, expect, it } from "vitest";
import { runTable } from "./agents.js";

const messages = await loadMessages("en-US", [EN_US]);
const now = new Date("2026-01-02T00:00:00Z");
const run = (more: Partial<BackgroundRun>): BackgroundRun => ({
  id: "bg-1",
  workspace: "/home/a/project",
  sessionId: "session-x",
  prompt: "do it",
  state: "running",
  started: new Date("2026-01-01T23:58:00Z"),
  costUsd: 0,
  waiting: 0,
  error: "",
  ...more,
});

describe("the table of background runs (CLI-29)", () => {
  it("shows state, age, cost, workspace and fifty characters of the prompt", () => {
    const runs = [
      run({ id: "bg-12", state: "waiting", waiting: 2, costUsd: 0.01234 }),
      run({ state: "done", ended: new Date("2026-01-01T23:58:30Z"), prompt: "a".repeat(51), workspace: "/srv" }),
    ];
    expect(runTable(runs, { messages, home: "/home/a", now })).toBe(
      `ID     STATE        AGE  COST     WORKSPACE  PROMPT\nbg-12  waiting (2)  2m   $0.0123  ~/project  do it\nbg-1   done         30s  -        /srv       ${"a".repeat(49)}…\n`,
    );
  });
});
