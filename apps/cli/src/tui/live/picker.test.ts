// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Choice } from "../surface.js";
import { createPicker, type Picker } from "./picker.js";
import { createTheme } from "./theme.js";

const words = { hint: "keys", none: "nothing" };

function open(choices: readonly Choice[], current?: string, title: string = "Which?"): Picker {
  const picker = createPicker(title, choices, current, createTheme(false), words);
  picker.isOpen = true;
  return picker;
}

const shown = (picker: Picker, width: number = 60): readonly string[] =>
  picker.render(width).map((row) => stripVTControlCharacters(row));

const numbers: readonly Choice[] = Array.from({ length: 25 }, (_, at) => ({ key: `k${at}`, label: `item ${at}` }));

describe("a picker (TUI-15)", () => {
  it("marks the current item and moves by arrows, pages and Ctrl+P/N", () => {
    const picker = open(numbers, "k3");
    expect(shown(picker)).toContain("❯ item 3");
    picker.press("\u001b[B");
    picker.press("\u000e");
    picker.press("\u001b[A");
    expect(shown(picker)).toContain("❯ item 4");
    picker.press("\u001b[6~");
    expect(shown(picker)).toContain("❯ item 14");
    picker.press("\u001b[6~");
    picker.press("\u001b[6~");
    expect(shown(picker)).toContain("❯ item 24");
    expect(shown(picker).at(-1)).toBe("keys · 25/25");
    expect(shown(picker)).toHaveLength(12);
    expect(picker.press("\r")).toEqual({ key: "k24" });
  });

  it("filters by every word in label or detail, whatever the case", () => {
    const picker = open([
      { key: "a", label: "Alpha one", detail: "first" },
      { key: "b", label: "Beta", detail: "first TWO" },
      { key: "c", label: "Gamma" },
    ]);
    for (const key of "FIRST two") picker.press(key);
    expect(shown(picker)).toEqual(["Which? FIRST two", "❯ Beta  first TWO", "keys"]);
    picker.press("\u007f");
    picker.press("x");
    expect(shown(picker)).toEqual(["Which? FIRST twx", "nothing", "keys"]);
    expect(picker.press("\r")).toBeUndefined();
    picker.press("\u0015");
    expect(shown(picker)).toHaveLength(5);
  });

  it("takes a letter for its item only before anything else was typed", () => {
    const choices: readonly Choice[] = [
      { key: "once", label: "yes", shortcut: "y" },
      { key: "deny", label: "no way", shortcut: "n" },
    ];
    expect(open(choices).press("N")).toEqual({ key: "deny" });
    const picker = open(choices);
    picker.press("w");
    picker.press("a");
    expect(picker.press("y")).toBeUndefined();
    expect(shown(picker)[0]).toBe("Which? way");
  });

  it("shows labels on one row each, made safe and clipped, wide characters too", () => {
    const picker = open(
      [{ key: "a", label: "two\nlines\u001b]0;owned\u0007", detail: "漢字".repeat(40) }],
      undefined,
      "a\ntitle",
    );
    const rows = shown(picker, 30);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toBe("a title");
    expect(rows[1]).toMatch(/^❯ two lines {2}漢字/);
    for (const row of picker.render(30)) expect(row).not.toMatch(/\n|\u0007/);
  });

  it("filters a thousand items at once (TUI, speed)", () => {
    const picker = open(Array.from({ length: 1_000 }, (_, at) => ({ key: String(at), label: `entry ${at}` })));
    for (const key of "999") picker.press(key);
    expect(shown(picker)[1]).toBe("❯ entry 999");
  });
});
