// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Argument } from "./argument.js";

/** Where a shell takes its script from. */
export interface ShellScript {
  /** The script, when it is literal. */
  readonly script: string | undefined;
  /** It runs a file: a command like any other. */
  readonly isFile: boolean;
  /** What it runs can't be told from its words. */
  readonly isUnclear: boolean;
  /** It runs start-up files first. */
  readonly readsProfile: boolean;
}

const INPUT_FILE = /^\/(dev\/(stdin|fd\/\d+)|proc\/.*\/fd\/\d+)$/;

/** Reads the words after a shell's name; `input` is its literal standard input, if it has one. */
export function readShellArguments(args: readonly Argument[], input: string | undefined): ShellScript {
  let at = 0;
  let takesScript = false;
  let readsInput = false;
  let readsProfile = false;
  for (; at < args.length; at++) {
    const word = args[at]?.literal;
    if (word === undefined) return { script: undefined, isFile: false, isUnclear: true, readsProfile };
    if (word === "--" || word === "-") {
      at += 1;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith("--")) {
      readsProfile ||= /^--(login|rcfile|init-file)/.test(word);
      if (word === "--rcfile" || word === "--init-file") at += 1;
      continue;
    }
    takesScript ||= word.includes("c");
    readsInput ||= word.includes("s");
    readsProfile ||= /[il]/.test(word.replace(/o.*/i, ""));
    at += (word.match(/[oO]/g) ?? []).length;
  }
  const operand = args[at];
  if (takesScript) {
    return { script: operand?.literal, isFile: false, isUnclear: operand?.literal === undefined, readsProfile };
  }
  if (operand === undefined || readsInput)
    return { script: input, isFile: false, isUnclear: input === undefined, readsProfile };
  const isUnclear = operand.literal === undefined || INPUT_FILE.test(operand.literal);
  return { script: undefined, isFile: !isUnclear, isUnclear, readsProfile };
}
