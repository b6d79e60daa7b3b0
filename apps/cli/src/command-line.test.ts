// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./command-line.js";
import { COMMANDS, helpOf } from "./commands.js";
import { givenPrompt, resolvePrompt } from "./prompt.js";
import { parseDuration } from "@blitz/config";
import { refuseInteractive, runOptionsOf } from "./run-options.js";

const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("parseCommandLine", () => {
  it.each([
    ["words are the prompt", ["fix", "it"], "", ["fix", "it"]],
    ["a command's name first is the command", ["exec", "undo", "it"], "exec", ["undo", "it"]],
    ["a command's name later is a word", ["please", "exec"], "", ["please", "exec"]],
    ["what follows -- is words", ["--", "--plan"], "", ["--plan"]],
    ["a flag's value isn't a command", ["-d", "exec", "go"], "", ["go"]],
  ])("%s", (_name, argv, command, words) => {
    const line = parseCommandLine(argv);
    expect([line.command.name, line.words]).toEqual([command, words]);
  });

  it.each([
    ["bare", ["--resume", "go", "on"], "latest", ["go", "on"]],
    ["bare and short", ["-r", "go on"], "latest", ["go on"]],
    [
      "before a session's ID",
      ["-r", "session-20260101-000000-0123abcd", "go"],
      "session-20260101-000000-0123abcd",
      ["go"],
    ],
    ["with =", ["--resume=mine", "go"], "mine", ["go"]],
    ["short with =", ["-r=mine", "go"], "mine", ["go"]],
  ])("reads --resume %s (CLI-81)", (_name, argv, value, words) => {
    const line = parseCommandLine(argv);
    expect([line.text("resume"), line.words]).toEqual([value, words]);
  });

  it.each([
    [["--modle", "x"], "unknown flag --modle (did you mean --model?)"],
    [["--nothing-like-it"], "unknown flag --nothing-like-it\n"],
    [["--output-format", "xml", "go"], '--output-format takes text, json, stream-json, not "xml"'],
    [["--plan=yes", "go"], "--plan"],
    [["undo", "--plan"], "unknown flag --plan"],
    [["--model"], "--model"],
    [["udno"], "unknown command udno (did you mean undo?)"],
  ])("refuses %j", (argv, message) => {
    const problem = problemOf(() => parseCommandLine(argv));
    expect(problem).toContain(message);
    expect(problem).toMatch(/Run 'blitz.* --help' for usage\.$/);
  });
});

describe("runOptionsOf", () => {
  const options = (...argv: readonly string[]) => runOptionsOf(parseCommandLine([...argv, "go"]));

  it("reads limits, 0 as none (CLI)", () => {
    expect(options("--max-turns", "3", "--max-cost-usd", "0.5", "--timeout", "1h30m")).toMatchObject({
      maxTurns: 3,
      maxCostUsd: 0.5,
      timeoutMs: 5_400_000,
    });
    expect(options("--max-turns", "0", "--timeout", "0")).toMatchObject({ maxTurns: undefined, timeoutMs: undefined });
  });

  it("keeps rules in order and apart", () => {
    expect(options("--allow", "shell(a b)", "--deny", "write", "--allow", "web(x)")).toMatchObject({
      allow: ["shell(a b)", "web(x)"],
      deny: ["write"],
    });
  });

  it.each([
    ["a negative limit", ["--max-turns=-1"], "--max-turns"],
    ["a limit that is no number", ["--max-cost-usd", "much"], '--max-cost-usd can\'t be "much"'],
    ["a time without a unit", ["--timeout", "90"], '--timeout can\'t be "90"'],
    ["a title for a resumed session", ["--continue", "--name", "x"], "--name titles a new session"],
    ["stream input without stream output", ["--input-format", "stream-json"], "needs --output-format stream-json"],
    ["two ways to resume", ["--continue", "--resume=mine"], "exclude each other"],
  ])("refuses %s (CLI-06)", (_name, argv, message) => {
    expect(problemOf(() => options(...argv))).toContain(message);
  });

  it.each([
    ["90s", 90_000],
    ["500ms", 500],
    ["2h", 7_200_000],
    ["1m30s", 90_000],
    ["s", undefined],
    ["1x", undefined],
    ["", undefined],
  ])("reads %j as %s milliseconds", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe("resolvePrompt", () => {
  const stdin = (text: string | undefined) => ({
    isTty: text === undefined,
    read: async () => Buffer.from(text ?? ""),
  });
  const resolve = (argv: readonly string[], piped?: string) => resolvePrompt(parseCommandLine(argv), stdin(piped));

  it.each([
    ["words on a terminal", ["fix", "it"], undefined, "fix it", false],
    ["-p on a terminal", ["-p", "fix"], undefined, "fix", false],
    ["-p with a pipe leaves the pipe alone", ["-p", "fix"], "piped", "fix", false],
    ["a pipe alone", [], " piped\n", "piped", true],
    ["words and a pipe", ["sum up"], "piped", "sum up\n\npiped", true],
    ["words and an empty pipe", ["go"], "", "go", true],
    ["-p - reads the pipe", ["-p", "-"], "piped", "piped", true],
    ["a byte-order mark is dropped", [], "\ufeffpiped", "piped", true],
  ])("takes %s (CLI-01, CLI-02)", async (_name, argv, piped, text, fromStdin) => {
    expect(await resolve(argv, piped)).toEqual({ text, fromStdin });
  });

  it.each([
    ["nothing at all (CLI-03)", [], undefined, "there is no prompt"],
    ["an empty pipe", ["exec"], "  ", "there is no prompt"],
    ["-p and words (CLI-04)", ["-p", "a", "b"], undefined, "given twice"],
    ["an empty -p", ["-p", " "], undefined, "empty"],
    ["more than 10 MiB (CLI-80)", [], "x".repeat(10 * 1024 * 1024 + 1), "over 10 MiB"],
  ])("refuses %s", async (_name, argv, piped, message) => {
    await expect(resolve(argv, piped)).rejects.toThrow(message);
  });
});

describe("givenPrompt", () => {
  it.each([
    ["nothing", [], undefined],
    ["words", ["fix", "it"], "fix it"],
    ["-p", ["-p", " fix "], "fix"],
  ])("comes before the lines of a stream: %s (CLI-26)", (_name, argv, text) => {
    expect(givenPrompt(parseCommandLine(argv))).toBe(text);
  });

  it.each([
    ["-p -, which would read the same input", ["-p", "-"], "both read standard input"],
    ["two prompts (CLI-04)", ["-p", "a", "b"], "given twice"],
  ])("refuses %s", (_name, argv, message) => {
    expect(problemOf(() => givenPrompt(parseCommandLine(argv)))).toContain(message);
  });
});

describe("refuseInteractive", () => {
  it.each([["--plan"], ["--timeout", "1m"], ["--output-format", "json"], ["--input-format", "stream-json"]])(
    "refuses %s %s in a session (CLI-06)",
    (...argv) => {
      expect(problemOf(() => refuseInteractive(parseCommandLine(["-i", ...argv])))).toContain(argv[0]);
    },
  );
});

describe("helpOf", () => {
  it.each(COMMANDS.map((command) => [command.name || "blitz", command] as const))(
    "names every flag of %s and fits 100 columns",
    (_name, command) => {
      const help = helpOf(command);
      for (const flag of command.flags) expect(help).toContain(`--${flag.name}`);
      for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    },
  );
});
