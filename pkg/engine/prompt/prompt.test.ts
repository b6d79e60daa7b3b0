// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { carryOutPrompt, planPrompt, systemText } from "./index.js";

const facts = {
  agentPrompt: "You are X. {agency_instructions}",
  agency: "low",
  workspace: "/w",
  platform: "linux",
  memory: "",
} as const;

describe("systemText", () => {
  it("puts the level's rules, the place and the instruction files in order (ENG-02)", () => {
    const text = systemText({ ...facts, memory: "## Project Instructions\n$& stays" });
    expect(text).toMatchInlineSnapshot(`
      "You are X. Take one step at a time. Stop after each and ask before the next. Do nothing of consequence without approval.

      Workspace: /w
      Platform: linux

      ## Project Instructions
      $& stays"
    `);
  });

  it("is the same for the same facts, so providers can cache it (MDL-32)", () => {
    expect(systemText(facts)).toBe(systemText({ ...facts }));
  });
});

describe("plan texts", () => {
  it("carry the goal and where the plan is (ENG-32)", () => {
    expect(planPrompt("make it fast")).toContain("\nmake it fast\n");
    expect(carryOutPrompt(".blitz/plans/s-1.md")).toContain("saved in .blitz/plans/s-1.md.");
    expect(carryOutPrompt("")).not.toContain("saved");
  });
});
