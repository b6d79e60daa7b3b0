// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Argument } from "./argument.js";
import type { FindingsList } from "./findings.js";
import type { Redirection } from "./parser.js";
import { literalInput } from "./redirection.js";
import { readShellArguments } from "./shell-arguments.js";
import { unwrap } from "./unwrap.js";
import {
  ASSIGNING_BUILTINS,
  MEANING_BUILTINS,
  SHELLS,
  UNVERIFIED_BUILTINS,
  type Wrapper,
  WRAPPERS,
} from "./wrappers.js";

/** What surrounds a command's words. */
export interface CommandContext {
  readonly redirections: readonly Redirection[];
  /** Looks into a script given as text. */
  readonly nested: (source: string) => void;
  /** Looks into text that is expanded again where a subscript may stand. */
  readonly evaluated: (text: string) => void;
  /** Words from elsewhere are added to the command (`xargs`, `find -exec`). */
  readonly addsWords: boolean;
  /** Text that is replaced in its words, scripts included: `{}` by `find`, any by `xargs -I`. */
  readonly replaced: "nothing" | "braces" | "anything";
  /** How many wrappers are around it. */
  readonly nesting: number;
}

const MAX_NESTING = 32;

/** Notes a command and, through wrappers and shells, those it runs (SH-10, 12, 13, 61). */
export function inspectCommand(list: FindingsList, args: readonly Argument[], context: CommandContext): void {
  const [first, ...rest] = args;
  if (first === undefined) return;
  const name = first.literal;
  const base = name?.slice(name.lastIndexOf("/") + 1) ?? "";
  const wrapper = WRAPPERS.get(base);
  const note = (isWrapper: boolean): void => {
    const words = args.map(({ literal, text }) => literal ?? text);
    const isDynamic = context.addsWords || args.some(({ literal }) => literal === undefined);
    list.command({ words, text: words.join(" "), isWrapper, isDynamic, name });
  };
  if (name === undefined) {
    note(false);
    list.unverified(`the name of the command ${first.text} is only known when it runs`);
  } else if (context.nesting > MAX_NESTING) {
    note(false);
    list.unverified("wrappers are nested too deeply to check");
  } else if (SHELLS.has(base)) note(inspectShell(list, rest, context));
  else if (wrapper !== undefined && !isQuery(base, rest)) note(inspectWrapper(list, name, wrapper, rest, context));
  else {
    note(false);
    inspectBuiltin(list, base, rest, context);
    if (base === "find" || base === "gfind") inspectFind(list, rest, context);
  }
}

/** `command -v name` only looks a name up. */
function isQuery(base: string, rest: readonly Argument[]): boolean {
  return base === "command" && /^-p?[vV]+$/.test(rest[0]?.literal ?? "");
}

/** Whether the shell is only a wrapper around a script that was looked into. */
function inspectShell(list: FindingsList, rest: readonly Argument[], context: CommandContext): boolean {
  const { script, isFile, isUnclear, readsProfile } = readShellArguments(rest, literalInput(context.redirections));
  if (readsProfile) list.obstacle("the shell reads start-up files first");
  if (isFile) return false;
  if (isUnclear || script === undefined) {
    list.unverified("a shell runs a script that can't be seen here");
    return false;
  }
  const { replaced } = context;
  if (replaced === "anything" || (replaced === "braces" && script.includes("{}"))) {
    list.unverified("text is put into a script before a shell runs it");
  }
  context.nested(script);
  return true;
}

/** Whether it runs a command; without one it is a command of its own. */
function inspectWrapper(
  list: FindingsList,
  name: string,
  wrapper: Wrapper,
  rest: readonly Argument[],
  context: CommandContext,
): boolean {
  const { inner, scripts, assigned, isGuess, hasOptions } = unwrap(wrapper, rest);
  const optionsMatter = name === "env" || name === "time";
  if (wrapper.isHarmless !== true || name.includes("/") || (hasOptions && optionsMatter)) {
    list.obstacle(`${name} changes how the command behind it runs`);
  }
  if (isGuess) list.unverified(`the options of ${name} are only known when it runs`);
  for (const variable of assigned) list.assigned(variable);
  for (const script of scripts) {
    if (script === undefined) list.unverified(`${name} runs a script that can't be seen here`);
    else context.nested(script);
  }
  if (inner.length === 0) {
    if (wrapper.readsScript === true && scripts.length === 0) list.unverified(`${name} runs what it reads`);
    return scripts.length > 0;
  }
  const addsWords = context.addsWords || wrapper.addsWords === true;
  if (wrapper.joinsScript === true) {
    const isClear = !addsWords && inner.every(({ literal }) => literal !== undefined);
    if (!isClear) list.unverified(`${name} puts a script together that can't be seen here`);
    context.nested(inner.map(({ literal, text }) => literal ?? text).join(" "));
    return true;
  }
  const replaced = wrapper.addsWords === true && rest.some(isReplaceOption) ? "anything" : context.replaced;
  inspectCommand(list, inner, { ...context, addsWords, replaced, nesting: context.nesting + 1 });
  return true;
}

function isReplaceOption({ literal }: Argument): boolean {
  return literal !== undefined && /^(-[a-zA-Z0-9]*[Ii]|--r)/.test(literal);
}

const FIND_RUNS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function inspectFind(list: FindingsList, rest: readonly Argument[], context: CommandContext): void {
  for (let i = 0; i < rest.length; i++) {
    if (!FIND_RUNS.has(rest[i]?.literal ?? "")) continue;
    const after = rest.slice(i + 1);
    const end = after.findIndex(
      ({ literal }, at) => literal === ";" || (literal === "+" && after[at - 1]?.literal === "{}"),
    );
    const inner = end < 0 ? after : after.slice(0, end);
    inspectCommand(list, inner, { ...context, addsWords: true, replaced: "braces", nesting: context.nesting + 1 });
    i += inner.length;
  }
}

/** Builtins that run unseen code, or change what later words mean. */
function inspectBuiltin(list: FindingsList, name: string, rest: readonly Argument[], context: CommandContext): void {
  const words = rest.map(({ literal, text }) => literal ?? text);
  if (UNVERIFIED_BUILTINS.has(name)) list.unverified(`${name} runs code that can't be seen here`);
  if (MEANING_BUILTINS.has(name)) list.obstacle(`${name} changes what later commands mean`);
  if ((name === "alias" || name === "trap") && words.some((word) => !word.startsWith("-"))) {
    list.unverified(`${name} keeps code for later`);
  }
  if (ASSIGNING_BUILTINS.has(name)) {
    for (const word of words) {
      const variable = /^([A-Za-z_][A-Za-z0-9_]*)/.exec(word)?.[1];
      if (variable !== undefined || !word.startsWith("-")) list.assigned(variable ?? word);
    }
    if (words.length === 0 && name !== "export" && name !== "declare" && name !== "readonly") list.assigned("REPLY");
  }
  if ((name === "printf" || name === "wait") && words.some((word) => /^-[vp]/.test(word)))
    list.assigned(words[1] ?? "");
  if (EVALUATING_BUILTINS.has(name)) for (const { literal } of rest) context.evaluated(literal ?? "");
}

/** They evaluate subscripts in their words, quoted or not: `test -v 'a[$(cmd)]'`. */
const EVALUATING_BUILTINS: ReadonlySet<string> = new Set([...ASSIGNING_BUILTINS, "test", "[", "printf", "wait"]);
