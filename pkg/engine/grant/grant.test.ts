// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { Grant } from "./index.js";
import { mintGrant, mintStanding } from "./mint/index.js";

describe("Grant", () => {
  const grant = mintGrant([
    { kind: "write_file", target: "a.txt" },
    { kind: "delete_file", target: "b.txt" },
  ]);

  it.each([
    ["the action it names", "write_file", "a.txt", true],
    ["its second action", "delete_file", "b.txt", true],
    ["another path", "write_file", "c.txt", false],
    ["the path under another kind", "delete_file", "a.txt", false],
  ] as const)("covers %s: %s %s → %s", (_name, kind, target, covered) => {
    expect(Grant.covers(grant, kind, target)).toBe(covered);
  });

  it("covers every target of its kind when standing", () => {
    const standing = mintStanding("run_command");
    expect(Grant.covers(standing, "run_command", "git status")).toBe(true);
    expect(Grant.covers(standing, "write_file", "a.txt")).toBe(false);
  });

  it.each([
    ["a copy", { ...grant }],
    ["a parsed object", JSON.parse(JSON.stringify(grant)) as unknown],
    ["an object with its prototype", Object.create(Grant.prototype) as unknown],
    ["nothing", undefined],
  ])("refuses %s", (_name, forged) => {
    expect(Grant.covers(forged, "write_file", "a.txt")).toBe(false);
  });

  it("can't be constructed outside mint", () => {
    const Constructor = Grant as unknown as new (key: symbol, allowed: readonly object[]) => unknown;
    expect(() => new Constructor(Symbol("mint"), [{ kind: "write_file", target: "a.txt" }])).toThrow(/grant\/mint/);
  });

  it("keeps what it was minted with when the list is changed later", () => {
    const actions = [{ kind: "write_file" as const, target: "a.txt" }];
    const minted = mintGrant(actions);
    actions.push({ kind: "write_file", target: "later.txt" });
    expect(Grant.covers(minted, "write_file", "later.txt")).toBe(false);
  });
});
