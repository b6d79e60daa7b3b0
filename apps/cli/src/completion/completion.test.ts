// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseCommandLine } from "../command-line.js";
import { COMMANDS } from "../commands.js";
import { runCompletion, SCRIPTS } from "./completion.js";
import { type Offered, offeredCommands } from "./offered.js";

const has = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const scriptOf = (shell: string): string => SCRIPTS[shell]?.(offeredCommands()) ?? "";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-completion-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Two commands that have every kind of flag and word. */
const SMALL: readonly Offered[] = [
  {
    name: "",
    help: "run",
    flags: [{ name: "dir", short: "d", value: "DIR", help: "the user's: [folder]" }],
    words: [],
  },
  {
    name: "go",
    help: "go on",
    flags: [
      { name: "format", value: "F", choices: ["text", "json"], help: "how" },
      { name: "all", short: "a", help: "all" },
    ],
    words: ["on", "off"],
  },
];

describe("completion scripts", () => {
  it.each(Object.keys(SCRIPTS))("for %s, of a small table (CLI)", (shell) => {
    expect(SCRIPTS[shell]?.(SMALL)).toMatchSnapshot();
  });

  it.each(Object.keys(SCRIPTS))("for %s name every command that isn't hidden", (shell) => {
    const script = scriptOf(shell);
    for (const { name, hidden } of COMMANDS) if (hidden !== true) expect(script).toContain(name);
    expect(script).not.toMatch(/\bserve\b/);
  });

  for (const [shell, flag] of [
    ["bash", "-n"],
    ["zsh", "-n"],
    ["fish", "--no-execute"],
  ] as const) {
    it.skipIf(!has(shell))(`${shell} itself finds no fault in its script`, () => {
      const file = path.join(dir, "script");
      writeFileSync(file, scriptOf(shell));
      expect(spawnSync(shell, [flag, file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    });
  }
});

describe("in bash", () => {
  const complete = (...words: readonly string[]): readonly string[] => {
    const file = path.join(dir, "script");
    writeFileSync(file, scriptOf("bash"));
    const run = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _blitz; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ["--norc", "-c", run, "bash", file, "blitz", ...words];
    const { stdout } = spawnSync("bash", args, { cwd: dir, encoding: "utf8" });
    return stdout.split("\n").filter((line) => line !== "");
  };

  it.skipIf(!has("bash")).each([
    ["a command's beginning", ["ses"], ["sessions"]],
    ["a command's word", ["config", "s"], ["show"]],
    ["a shell", ["completion", "f"], ["fish"]],
    ["a flag", ["exec", "--perm"], ["--permission-mode"]],
    ["a choice", ["exec", "--output-format", "j"], ["json"]],
    ["a choice after =", ["exec", "--output-format", "=", "s"], ["stream-json"]],
    ["a flag of this command only", ["undo", "--f"], ["--force"]],
    ["nothing for a text", ["exec", "--prompt", ""], []],
  ])("completes %s", (_name, words, expected) => {
    expect(complete(...words)).toEqual(expected);
  });

  it.skipIf(!has("bash"))("completes directories only, names with spaces whole", () => {
    mkdirSync(path.join(dir, "my work"));
    writeFileSync(path.join(dir, "my file"), "");
    expect(complete("exec", "--dir", "my")).toEqual(["my work"]);
  });

  it.skipIf(!has("bash"))("never runs what was typed", () => {
    const typed = "$(touch ran)";
    for (const words of [[typed], ["exec", typed], ["exec", "--dir", typed], ["exec", "--output-format", typed]])
      expect(complete(...words)).toEqual([]);
    expect(spawnSync("ls", ["ran"], { cwd: dir }).status).not.toBe(0);
  });
});

describe("blitz completion", () => {
  it.each([[[]], [["tcsh"]], [["toString"]], [["bash", "zsh"]]])("refuses %j", (words) => {
    const line = parseCommandLine(["completion", ...words]);
    const stdout = { write: () => undefined } as never;
    expect(() => runCompletion(line, { stdout })).toThrow("completion takes one of bash, zsh, fish, powershell");
  });
});
