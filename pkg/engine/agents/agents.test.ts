// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { loadAgents } from "./index.js";

describe("loadAgents", () => {
  it("has the built-in primary agent", () => {
    expect(
      loadAgents()
        .list()
        .map((agent) => agent.name),
    ).toEqual(["blitz"]);
    expect(loadAgents().get("blitz").prompt).toContain("{agency_instructions}");
  });

  it.each([
    ["blizt", "did you mean blitz?"],
    ["somebody-else", "known: blitz"],
  ])("refuses %s and says %s (AG-22)", (name, hint) => {
    let problem: unknown;
    try {
      loadAgents().get(name);
    } catch (error) {
      problem = error;
    }
    expect(isReason(problem, "UNKNOWN_AGENT") && problem.message).toContain(hint);
  });
});
