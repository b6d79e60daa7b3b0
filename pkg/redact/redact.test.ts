// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { createRedactor } from "./index.js";

const { text, value } = createRedactor();
const x = (count: number): string => "x".repeat(count);

describe("text", () => {
  it.each([
    ["AWS", `id AKIA${"A1".repeat(8)} end`, "id [REDACTED] end"],
    ["an AWS ID one short", `AKIA${"A".repeat(15)}`, `AKIA${"A".repeat(15)}`],
    ["OpenAI", `sk-${x(20)}`, "[REDACTED]"],
    ["Anthropic", `(sk-ant-${x(40)})`, "([REDACTED])"],
    ["an OpenAI key one short", `sk-${x(19)}`, `sk-${x(19)}`],
    ["a word that ends in the prefix", `task-${x(30)}`, `task-${x(30)}`],
    ["Google", `AIza${x(35)}`, "[REDACTED]"],
    ["a Google key one short", `AIza${x(34)}`, `AIza${x(34)}`],
    ["GitHub", `ghp_${x(30)} ghs_${x(36)}`, "[REDACTED] [REDACTED]"],
    ["a GitHub token one short", `ghp_${x(29)}`, `ghp_${x(29)}`],
    ["a fine-grained GitHub token", `github_pat_${x(40)}`, "[REDACTED]"],
    ["Slack", `xoxb-${x(10)}`, "[REDACTED]"],
    ["a JWT", `eyJ${x(8)}.${x(8)}.${x(8)}.`, "[REDACTED]."],
    ["a JWT part one short", `eyJ${x(8)}.${x(7)}.${x(8)}`, `eyJ${x(8)}.${x(7)}.${x(8)}`],
    ["a private key", "a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb", "a\n[REDACTED]\nb"],
    ["a private key without an end", "a -----BEGIN PRIVATE KEY-----\nabc", "a [REDACTED]"],
    ["a public key", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----"],
  ])("masks or keeps %s (RED-01)", (_name, given, masked) => {
    expect(text(given)).toBe(masked);
  });

  it.each([
    ["DB_PASSWORD=hunter22 next", "DB_PASSWORD=[REDACTED] next"],
    ['"api-key": "abcdef"', '"api-key": "[REDACTED]"'],
    ["my_access_key_id : abcdef;", "my_access_key_id : [REDACTED];"],
    ["password=short", "password=short"],
    ["token = 12345", "token = 12345"],
    ["a token of thanks", "a token of thanks"],
  ])("masks only the value of an assignment: %s (RED-02)", (given, masked) => {
    expect(text(given)).toBe(masked);
  });

  it("masks exact values, longest first, and ignores short ones (RED-03)", () => {
    const redactor = createRedactor(["abcdefgh", "abcdefghij", "short"]);
    redactor.add("learned-later");
    expect(redactor.text("abcdefghij abcdefgh short learned-later")).toBe("[REDACTED] [REDACTED] short [REDACTED]");
  });

  it.each([
    ["-token", "-token".repeat(170_000)],
    ["token=", "token=".repeat(170_000)],
    ["sk-", "sk-".repeat(340_000)],
    ["eyJ", `eyJ${"a.".repeat(500_000)}`],
    ["key heads", "-----BEGIN PRIVATE KEY".repeat(45_000)],
    ["private keys without end", "-----BEGIN PRIVATE KEY-----\n".repeat(36_000)],
  ])("stays linear on a megabyte of %s (RED-05)", { timeout: 5_000 }, (_name, given) => {
    expect(text(given).length).toBeGreaterThan(0);
  });
});

describe("value", () => {
  it("masks at any depth in a copy and keeps keys (RED-04)", () => {
    const given = { a: [{ note: `sk-${x(20)}` }], api_token: "abcdef", count: 3, auth: { password: "secret1" } };
    const before = structuredClone(given);
    expect(value(given)).toEqual({
      a: [{ note: "[REDACTED]" }],
      api_token: "[REDACTED]",
      count: 3,
      auth: { password: "[REDACTED]" },
    });
    expect(given).toEqual(before);
  });

  it("ends cycles and very deep values instead of failing (RED-04)", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    let deep: unknown = "end";
    for (let at = 0; at < 100; at++) deep = [deep];
    expect(value(cycle)).toEqual({ self: "[…]" });
    expect(JSON.stringify(value(deep))).toContain("[…]");
  });
});
