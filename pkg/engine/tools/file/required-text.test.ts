// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { requiredText } from "./required-text.js";

describe("requiredText", () => {
  it.each([
    ["NEEDLE h.re", "NEEDLE h"],
    ["function\\s+foo", "function"],
    ["\\bfoo\\.bar\\b", "foo.bar"],
    ["colou?r", "colo"],
    ["ab{2}c", "a"],
    ["ab*cd+e", "cd"],
    ["^import .* from$", "import "],
    ["x*", undefined],
    ["a|b", undefined],
    ["(?i)abc", undefined],
    ["[ab]c", undefined],
    ["\\x41bc", undefined],
    ["\\Qa.b\\E", undefined],
    ["a{b", undefined],
    ["été", "t"],
  ])("of %s is %s", (expression, text) => expect(requiredText(expression)).toBe(text));

  it("is in every match of plain expressions (property)", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "ab",
      ".",
      "a*",
      "b?",
      "a+",
      "b{2}",
      "a{0,1}",
      "^",
      "$",
      "\\.",
      "\\w",
      "\\b",
      "-",
    );
    const expression = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(expression, fc.stringMatching(/^[ab.-]{0,8}$/), (pattern, text) => {
        const needed = requiredText(pattern);
        fc.pre(needed !== undefined && RE2JS.compile(pattern).matcher(text).find());
        expect(text).toContain(needed);
      }),
    );
  });
});
