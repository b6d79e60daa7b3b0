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
  it("for bash, of a small table (CLI)", () => {
    expect(SCRIPTS["bash"]?.(SMALL)).toMatchInlineSnapshot(`
      "# bash completion for blitz
      _blitz() {
        local cur prev command= offer= one
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD - 1]}
        if [[ $cur == = ]]; then
          cur=
        elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then
          prev=\${COMP_WORDS[COMP_CWORD - 2]}
        fi
        COMPREPLY=()
        if [[ COMP_CWORD -gt 1 ]]; then
          case \${COMP_WORDS[1]} in
            go) command=\${COMP_WORDS[1]} ;;
          esac
        fi
        case $command:$prev in
          :--dir | :-d) compopt -o filenames 2> /dev/null; while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen -d -- "$cur"); return ;;
          go:--format) while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen -W 'text json' -- "$cur"); return ;;
        esac
        case $command:$cur in
          :-*) offer='--dir -d' ;;
          :*) [[ COMP_CWORD -eq 1 ]] && offer='go' ;;
          go:-*) offer='--format --all -a' ;;
          go:*) [[ COMP_CWORD -eq 2 ]] && offer='on off' ;;
        esac
        while IFS= read -r one; do
          COMPREPLY+=("$one")
        done < <(compgen -W "$offer" -- "$cur")
      }
      complete -F _blitz blitz
      "
    `);
  });

  it("for zsh, of a small table (CLI)", () => {
    expect(SCRIPTS["zsh"]?.(SMALL)).toMatchInlineSnapshot(`
      "#compdef blitz
      # zsh completion for blitz
      _blitz() {
        local -a commands
        commands=(
          'go:go on'
        )
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _describe command commands
          return
        fi
        case $words[2] in
          (go)
            shift words
            (( CURRENT-- ))
            _arguments -s \\
              '(--format)--format=[how]:F:(text json)' \\
              '(--all -a)--all[all]' \\
              '(--all -a)-a[all]' \\
              '1: :(on off)'
            ;;
          (*)
            _arguments -s \\
              '(--dir -d)--dir=[the user'\\''s\\: \\[folder\\]]:DIR:_files -/' \\
              '(--dir -d)-d+[the user'\\''s\\: \\[folder\\]]:DIR:_files -/'
            ;;
        esac
      }
      if [[ $funcstack[1] == _blitz ]]; then
        _blitz "$@"
      else
        compdef _blitz blitz
      fi
      "
    `);
  });

  it("for fish, of a small table (CLI)", () => {
    expect(SCRIPTS["fish"]?.(SMALL)).toMatchInlineSnapshot(`
      "# fish completion for blitz
      function __blitz_is
        set -l words (commandline -opc)
        set -l command ''
        if set -q words[2]; and contains -- $words[2] go
          set command $words[2]
        end
        test "$command" = "$argv[1]"
      end
      function __blitz_first
        set -l words (commandline -opc)
        test (count $words) -eq $argv[1]
      end
      complete -c blitz -f
      complete -c blitz -n '__blitz_first 1' -a go -d 'go on'
      complete -c blitz -n '__blitz_is ""' -l dir -s d -x -a '(__fish_complete_directories)' -d 'the user\\'s: [folder]'
      complete -c blitz -n '__blitz_is "go"' -l format -x -a 'text json' -d 'how'
      complete -c blitz -n '__blitz_is "go"' -l all -s a -d 'all'
      complete -c blitz -n '__blitz_is "go"' -n '__blitz_first 2' -a 'on off'
      "
    `);
  });

  it("for powershell, of a small table (CLI)", () => {
    expect(SCRIPTS["powershell"]?.(SMALL)).toMatchInlineSnapshot(`
      "# PowerShell completion for blitz
      Register-ArgumentCompleter -Native -CommandName blitz -ScriptBlock {
        param($wordToComplete, $commandAst, $cursorPosition)
        $commands = @('go')
        $flags = @{
          '' = @('--dir', '-d')
          'go' = @('--format', '--all', '-a')
        }
        $words = @{
          '' = @()
          'go' = @('on', 'off')
        }
        $choices = @{
          'go --format' = @('text', 'json')
        }
        $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
        $command = ''
        if ($before.Count -gt 1 -and $commands -ccontains $before[1]) { $command = $before[1] }
        $key = "$command $($before[-1])"
        $offer = @()
        if ($choices.ContainsKey($key)) { $offer = $choices[$key] }
        elseif ($wordToComplete.StartsWith('-')) { $offer = $flags[$command] }
        elseif ($before.Count -eq 1) { $offer = $commands }
        elseif ($before.Count -eq 2) { $offer = $words[$command] }
        $offer | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
          [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
      }
      "
    `);
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
    ["a command's word", ["config", "sh"], ["show"]],
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
