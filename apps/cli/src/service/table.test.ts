// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { briefDuration, homeRelative, renderTable, shortened } from "./table.js";

describe("a table", () => {
  it("has columns as wide as their widest cell, and no blanks at the end", () => {
    expect(
      renderTable(
        ["ID", "STATE", "PROMPT"],
        [
          ["bg-1", "waiting (2)", "x"],
          ["bg-10", "done", ""],
        ],
      ),
    ).toBe("ID     STATE        PROMPT\nbg-1   waiting (2)  x\nbg-10  done\n");
  });

  it("keeps a cell on its line and obeys no escape sequence in it (TUI-06)", () => {
    expect(renderTable(["A", "B"], [["one\ntwo", "\u001b[31mred\u001b[0m\u0007"]])).toBe("A        B\none two  red\n");
  });

  it("counts characters, not code units", () => {
    expect(renderTable(["A", "B"], [["😀", "x"]])).toBe("A  B\n😀  x\n");
  });
});

describe("shortened", () => {
  it.each([
    ["as long as allowed", "12345", "12345"],
    ["one too long", "123456", "1234…"],
    ["on several lines", "1\n 2", "1 2"],
    ["of wide characters", "😀😀😀😀😀😀", "😀😀😀😀…"],
  ])("a text %s", (_name, text, expected) => expect(shortened(text, 5)).toBe(expected));
});

describe("briefDuration", () => {
  it.each([
    [-5, "0s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [3_599_000, "59m"],
    [3_600_000, "1h"],
    [86_399_000, "23h"],
    [86_400_000, "1d"],
  ])("%d ms is %s", (ms, expected) => expect(briefDuration(ms)).toBe(expected));
});

describe("homeRelative", () => {
  it.each([
    ["/home/a", "~"],
    ["/home/a/x", "~/x"],
    ["/home/ab", "/home/ab"],
  ])("%s is %s", (file, expected) => expect(homeRelative(file, "/home/a")).toBe(expected));
});
