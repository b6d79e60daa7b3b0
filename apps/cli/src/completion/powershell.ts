// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Offered, spellingsOf } from "./offered.js";

/** For PowerShell. Where it offers nothing, PowerShell offers files by itself, so directories need no case. */
export function powershellScript(commands: readonly Offered[]): string {
  const names = commands.flatMap(({ name }) => (name === "" ? [] : [name]));
  return `# PowerShell completion for blitz
Register-ArgumentCompleter -Native -CommandName blitz -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = ${list(names)}
  $flags = @{
${commands.map(({ name, flags }) => `    '${name}' = ${list(flags.flatMap(spellingsOf))}`).join("\n")}
  }
  $words = @{
${commands.map(({ name, words }) => `    '${name}' = ${list(words)}`).join("\n")}
  }
  $choices = @{
${commands.flatMap(choicesOf).join("\n")}
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
`;
}

function choicesOf({ name, flags }: Offered): readonly string[] {
  return flags.flatMap(({ choices, ...flag }) =>
    choices === undefined ? [] : spellingsOf(flag).map((spelling) => `    '${name} ${spelling}' = ${list(choices)}`),
  );
}

function list(words: readonly string[]): string {
  return `@(${words.map((word) => `'${word}'`).join(", ")})`;
}
