// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Flag } from "../commands.js";
import type { Offered } from "./offered.js";

/** For fish. */
export function fishScript(commands: readonly Offered[]): string {
  const named = commands.filter(({ name }) => name !== "");
  return `# fish completion for blitz
function __blitz_is
  set -l words (commandline -opc)
  set -l command ''
  if set -q words[2]; and contains -- $words[2] ${named.map(({ name }) => name).join(" ")}
    set command $words[2]
  end
  test "$command" = "$argv[1]"
end
function __blitz_first
  set -l words (commandline -opc)
  test (count $words) -eq $argv[1]
end
complete -c blitz -f
${named.map(({ name, help }) => `complete -c blitz -n '__blitz_first 1' -a ${name} -d ${quoted(help)}`).join("\n")}
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, flags, words }: Offered): readonly string[] {
  const when = quoted(`__blitz_is "${name}"`);
  const first = words.length === 0 ? [] : [`complete -c blitz -n ${when} -n '__blitz_first 2' -a '${words.join(" ")}'`];
  return [...flags.map((flag) => `complete -c blitz -n ${when} ${flagOf(flag)}`), ...first];
}

function flagOf(flag: Flag): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  return `-l ${flag.name}${short}${valueOf(flag)} -d ${quoted(flag.help)}`;
}

function valueOf(flag: Flag): string {
  if (flag.value === undefined) return "";
  if (flag.choices !== undefined) return ` -x -a '${flag.choices.join(" ")}'`;
  return flag.value === "DIR" ? " -x -a '(__fish_complete_directories)'" : " -x";
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
