// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Argument, literalArgument } from "./argument.js";
import type { Wrapper } from "./wrappers.js";

/** What is behind a wrapper's options. */
export interface Unwrapped {
  /** Words of the command it runs; empty when there is none. */
  readonly inner: readonly Argument[];
  /** Scripts given to it as text; `undefined` = one that isn't literal. */
  readonly scripts: readonly (string | undefined)[];
  /** Names it assigns before it runs the command. */
  readonly assigned: readonly string[];
  /** A word among its options isn't literal, so where the command starts is a guess. */
  readonly isGuess: boolean;
  /** It was given options of its own. */
  readonly hasOptions: boolean;
}

/** Takes a wrapper's own words away; `args` are those after its name. */
export function unwrap(wrapper: Wrapper, args: readonly Argument[]): Unwrapped {
  const scripts: (string | undefined)[] = [];
  const assigned: string[] = [];
  let at = 0;
  let isGuess = false;
  let hasOptions = false;
  while (at < args.length) {
    const { literal, text } = args[at] ?? literalArgument("");
    const word = literal ?? text;
    if (literal === undefined && !(wrapper.assigns === true && ASSIGNMENT.test(text))) {
      isGuess = true;
      break;
    }
    if (word === "--") {
      at += 1;
      break;
    }
    const name = wrapper.assigns === true ? ASSIGNMENT.exec(word)?.[1] : undefined;
    if (name !== undefined) assigned.push(name);
    else if (!word.startsWith("-")) break;
    else {
      hasOptions = true;
      const option = readOption(wrapper, word);
      if (option.script !== undefined) scripts.push(option.takesNext ? args[at + 1]?.literal : option.script);
      if (option.takesNext) at += 1;
    }
    at += 1;
  }
  at += skipAssignments(wrapper, args.slice(at), assigned);
  return { inner: args.slice(at + (isGuess ? 0 : (wrapper.operands ?? 0))), scripts, assigned, isGuess, hasOptions };
}

/** `env` takes any word with a `=` in it, whatever the name looks like. */
const ASSIGNMENT = /^["']?((?:[^=\s-][^=]*)?)=/;

/** `env -- A=1 ls`: assignments may follow the end of options too. */
function skipAssignments(wrapper: Wrapper, rest: readonly Argument[], assigned: string[]): number {
  if (wrapper.assigns !== true) return 0;
  let count = 0;
  for (const { literal, text } of rest) {
    const name = ASSIGNMENT.exec(literal ?? text)?.[1];
    if (name === undefined) break;
    assigned.push(name);
    count += 1;
  }
  return count;
}

interface Option {
  readonly takesNext: boolean;
  /** Text of a script attached to the option; "" when it is the next word. */
  readonly script?: string;
}

function readOption(wrapper: Wrapper, word: string): Option {
  const scripts = wrapper.scriptOptions ?? [];
  if (word.startsWith("--")) {
    const [name = "", ...value] = word.slice(2).split("=");
    const isScript = scripts.some((long) => long.length > 1 && long.startsWith(name));
    if (isScript) return { takesNext: value.length === 0, script: value.join("=") };
    // GNU programs take any beginning of a long option's name.
    const takesValue = (wrapper.longValues ?? []).some((long) => long.startsWith(name));
    return { takesNext: takesValue && value.length === 0 };
  }
  for (let i = 1; i < word.length; i++) {
    const letter = word.charAt(i);
    const isLast = i === word.length - 1;
    if (scripts.includes(letter)) return { takesNext: isLast, script: word.slice(i + 1) };
    if (wrapper.values?.includes(letter) === true) return { takesNext: isLast };
  }
  return { takesNext: false };
}
