// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Flag } from "../commands.js";
import { type Offered, spellingsOf } from "./offered.js";

/** For zsh: works in `$fpath` as `_blitz`, and sourced. */
export function zshScript(commands: readonly Offered[]): string {
  const named = commands.filter(({ name }) => name !== "");
  const root = commands.find(({ name }) => name === "");
  return `#compdef blitz
# zsh completion for blitz
_blitz() {
  local -a commands
  commands=(
${named.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${named.map((command) => `    (${command.name})\n      shift words\n      (( CURRENT-- ))\n${argumentsOf(command)}\n      ;;`).join("\n")}
    (*)
${root === undefined ? "" : argumentsOf(root)}
      ;;
  esac
}
if [[ $funcstack[1] == _blitz ]]; then
  _blitz "$@"
else
  compdef _blitz blitz
fi
`;
}

function argumentsOf({ flags, words }: Offered): string {
  const specs = flags.flatMap(specsOf);
  const first = words.length === 0 ? [] : [quoted(`1: :(${words.join(" ")})`)];
  return `      _arguments -s ${[...specs, ...first].map((spec) => `\\\n        ${spec}`).join(" ")}`;
}

function specsOf(flag: Flag): readonly string[] {
  const spellings = spellingsOf(flag);
  const ahead = flag.repeat === true ? "*" : `(${spellings.join(" ")})`;
  const help = flag.help.replace(/[\\[\]:]/g, "\\$&");
  return spellings.map((spelling) => {
    const joined = flag.value === undefined ? "" : spelling.startsWith("--") ? "=" : "+";
    const value = flag.value === undefined ? "" : `:${flag.value}:${actionOf(flag)}`;
    return quoted(`${ahead}${spelling}${joined}[${help}]${value}`);
  });
}

function actionOf(flag: Flag): string {
  if (flag.choices !== undefined) return `(${flag.choices.join(" ")})`;
  return flag.value === "DIR" ? "_files -/" : " ";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
