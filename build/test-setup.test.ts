// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { connect } from "node:net";
import { homedir, tmpdir } from "node:os";
import { afterAll, describe, expect, it } from "vitest";

afterAll(() => {
  delete process.env["BLITZ_TEST_DIAL_OUT_EXPECTED"];
});

describe("the test set-up (28 MR-15)", () => {
  it("hides every key of the developer's environment", () => {
    expect(
      Object.keys(process.env).filter((name) => /_API_KEY|_TOKEN|_SECRET|PROXY$/.test(name) && name !== "NO_PROXY"),
    ).toEqual([]);
  });

  it("gives each test file a home of its own", () => {
    expect(homedir().startsWith(tmpdir())).toBe(true);
  });

  it.each([
    ["an address beyond this machine", () => connect({ host: "192.0.2.1", port: 80 })],
    ["a name", () => connect({ host: "example.test", port: 80 })],
  ])("ends a test that dials out to %s", (_name, dial) => {
    process.env["BLITZ_TEST_DIAL_OUT_EXPECTED"] = "1";
    expect(dial).toThrow("only loopback is allowed");
  });
});
