// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { readEntry } from "./entry.js";

describe("readEntry", () => {
  it.each(["", "  ", "\t", "!", "! "])("takes %j as nothing (TUI-20)", (line) => {
    expect(readEntry(line)).toEqual({ kind: "empty" });
  });

  it.each([
    ["!git status", "git status"],
    ["! ls -l ", "ls -l"],
  ])("takes %j as the user's command (TUI-20)", (line, command) => {
    expect(readEntry(line)).toEqual({ kind: "shell", command });
  });

  it.each([
    ["/help", "help", ""],
    ["/Model openai/gpt", "model", "openai/gpt"],
    ["/rename two  words ", "rename", "two  words"],
    ["/plan /etc first", "plan", "/etc first"],
    ["/plan a\nb", "plan", "a\nb"],
    ["/tmp", "tmp", ""],
  ])("takes %j as a command (TUI-22)", (line, name, args) => {
    expect(readEntry(line)).toEqual({ kind: "command", name, args });
  });

  it.each(["/etc/hosts has a typo", "/Users/sam/x.ts:12 fix", "//note", "/", "a /help", "what does !x mean"])(
    "takes %j as a prompt (T-TUI-5)",
    (line) => {
      expect(readEntry(line)).toEqual({ kind: "prompt", text: line });
    },
  );

  it.each([" /tmp", " !important"])("takes %j as a prompt for its leading blank (T-TUI-5)", (line) => {
    expect(readEntry(line)).toEqual({ kind: "prompt", text: line.trim() });
  });
});
