// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Offered, spellingsOf } from "./offered.js";

/** For bash, also the 3.2 of macOS. What was typed is compared with, never evaluated. */
export function bashScript(commands: readonly Offered[]): string {
  const names = commands.flatMap(({ name }) => (name === "" ? [] : [name]));
  return `# bash completion for blitz
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
      ${names.join(" | ")}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  case $command:$prev in
${commands.flatMap(valueCases).join("\n")}
  esac
  case $command:$cur in
${commands.map((command) => wordCases(command, names)).join("\n")}
  esac
  while IFS= read -r one; do
    COMPREPLY+=("$one")
  done < <(compgen -W "$offer" -- "$cur")
}
complete -F _blitz blitz
`;
}

/** Flags that take a value: the choices, directories, or nothing to offer. */
function valueCases({ name, flags }: Offered): readonly string[] {
  return flags.flatMap((flag) => {
    if (flag.value === undefined) return [];
    const pattern = spellingsOf(flag)
      .map((spelling) => `${name}:${spelling}`)
      .join(" | ");
    const read = (source: string): string =>
      `while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen ${source} -- "$cur"); `;
    const offer = flag.choices === undefined ? "" : read(`-W '${flag.choices.join(" ")}'`);
    const dirs = flag.value === "DIR" ? `compopt -o filenames 2> /dev/null; ${read("-d")}` : "";
    return [`    ${pattern}) ${offer}${dirs}return ;;`];
  });
}

function wordCases({ name, flags, words }: Offered, names: readonly string[]): string {
  const spelt = flags.flatMap(spellingsOf).join(" ");
  const position = name === "" ? 1 : 2;
  const first = (name === "" ? names : words).join(" ");
  const offerFirst = first === "" ? "" : `\n    ${name}:*) [[ COMP_CWORD -eq ${position} ]] && offer='${first}' ;;`;
  return `    ${name}:-*) offer='${spelt}' ;;${offerFirst}`;
}
