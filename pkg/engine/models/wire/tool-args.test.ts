// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { NOW, READ_FILE } from "../testing/calls.js";
import { parseToolArgs } from "./tool-args.js";

describe("parseToolArgs (MDL-31, T-STR-3)", () => {
  it.each([
    ["an object", '{"path":"a"}', { path: "a" }],
    ["an object with a lone surrogate", '{"path":"\\ud83d"}', { path: "\ufffd" }],
  ])("reads %s", (_name, text, args) => {
    expect(parseToolArgs(text, READ_FILE)).toEqual({ args });
  });

  it.each(["", " \n", "null", "[]", '"{}"', "7"])("takes %j as none for a tool without parameters", (text) => {
    expect(parseToolArgs(text, NOW)).toEqual({ args: {} });
  });

  it.each(["", " \n", "null", "[]", '"{}"', "7", "{", '{"path":"big.txt","content":"line 1\nli', '{"path":["a"'])(
    "refuses %j for a tool that needs something",
    (text) => {
      expect(parseToolArgs(text, READ_FILE)).toEqual({ args: {}, invalid: expect.any(String) });
    },
  );

  it.each(["{", "[1", "nul"])("refuses the cut %j even for a tool without parameters", (text) => {
    expect(parseToolArgs(text, NOW).invalid).toMatch(/complete JSON/);
  });

  it("refuses empty arguments of a tool nobody offered", () => {
    expect(parseToolArgs("", undefined).invalid).toBe("the arguments are empty");
  });
});
