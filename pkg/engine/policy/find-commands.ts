// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Argument, argumentOf, isMisread } from "./argument.js";
import { createFindings, type Findings, type FindingsList } from "./findings.js";
import { type Command, eachChild, parseScript, type SyntaxNode } from "./parser.js";
import { redirectionEffect } from "./redirection.js";
import { type CommandContext, inspectCommand } from "./inspect-command.js";

/** Shells within shells that are still looked into (SH-10). */
const MAX_DEPTH = 3;

/** Every simple command of a script, wherever it stands, and what keeps the script from being clear (SH-10, 11a, 61). */
export function findCommands(script: string): Findings {
  const list = createFindings();
  visitSource(list, script, 0);
  return list.done();
}

function visitSource(list: FindingsList, source: string, depth: number): void {
  if (depth > MAX_DEPTH) list.unverified("a shell within a shell is nested too deeply to check");
  else visit(list, parseScript(source), depth);
}

function visit(list: FindingsList, node: SyntaxNode, depth: number): void {
  inspect(list, node, depth);
  eachChild(node, (child) => visit(list, child, depth));
}

/** What one node says by itself; its children are visited afterwards. */
function inspect(list: FindingsList, node: SyntaxNode, depth: number): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the parser\'s union; what is not named here has nothing to say
  switch (node.type) {
    case "Script":
      if (node.errors?.[0] !== undefined) list.parseError(node.errors[0].message);
      return;
    case "Word":
      if (isMisread(node)) inspectEvaluatedText(list, node.text, depth);
      return;
    case "Command":
      inspectCommand(list, wordsOf(node), contextOf(node, list, depth));
      return;
    case "Time":
      list.command({ words: ["time"], text: "time", isWrapper: true, isDynamic: false, name: "time" });
      return;
    case "Redirect": {
      const effect = redirectionEffect(node);
      if (effect.type === "writes") list.redirect(effect.target);
      else if (effect.type === "dynamic") list.obstacle("where a redirection reads from is only known when it runs");
      // Bash 5.2 expands this target twice, quotes or not.
      if (node.operator.endsWith("&") && node.target !== undefined) inspectEvaluated(list, node.target, depth);
      return;
    }
    case "Assignment":
      list.assigned(node.name);
      if (node.index !== undefined) inspectEvaluated(list, node.index, depth);
      return;
    case "FileDescriptorVariable":
      list.assigned(node.name);
      inspectEvaluatedText(list, node.name, depth);
      return;
    case "For":
    case "Select":
      list.assigned(node.name.value);
      return;
    case "Function":
      list.obstacle(`it defines the function ${node.name.value}`);
      return;
    case "Coproc":
      list.obstacle("it starts a coprocess");
      return;
    case "TestCommand":
    case "ArithmeticWord":
    case "Slice":
      inspectEvaluated(list, node, depth);
      return;
    default:
      inspectExpansion(list, node, depth);
  }
}

/** Expansions: those whose inside can't be seen, and those that assign. */
function inspectExpansion(list: FindingsList, node: SyntaxNode, depth: number): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the parser\'s union; what is not named here has nothing to say
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (node.script === undefined) list.unverified("a substitution can't be looked into");
      return;
    case "ArithmeticExpansion":
      if (node.expression === undefined && hidesCommand(node.text))
        list.unverified("an arithmetic expression can't be looked into");
      return;
    case "ArithmeticCommand":
      if (node.expression === undefined && hidesCommand(node.body))
        list.unverified("an arithmetic expression can't be looked into");
      return;
    case "ArithmeticBinary":
      if (/^([-+*/%&^|]|<<|>>)?=$/.test(node.operator)) list.obstacle("an arithmetic expression sets a variable");
      return;
    case "ArithmeticUnary":
      if (node.operator === "++" || node.operator === "--") list.obstacle("an arithmetic expression sets a variable");
      return;
    case "ParameterExpansion": {
      const { operation, index } = node;
      if (index !== undefined) inspectEvaluated(list, index, depth);
      if (operation?.type === "Default" && operation.operator.endsWith("=")) list.assigned(node.parameter);
      const isOpaque = operation?.type === "Unknown" && hidesCommand(node.text);
      if (isOpaque || operation?.type === "Transform")
        list.unverified(`the expansion ${node.text} can't be looked into`);
      return;
    }
    default:
      return;
  }
}

/**
 * Text that Bash expands again, quoted or not, where it expects a number or a subscript: `[[ -v 'a[$(cmd)]' ]]`,
 * `$(('a[$(cmd)]'))`. What is in it is looked into, and counts as unverified all the same.
 */
function inspectEvaluated(list: FindingsList, node: SyntaxNode, depth: number): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the parser\'s union; what is not named here has nothing to say
  switch (node.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return inspectEvaluatedText(list, node.value, depth);
    case "Word":
      if (node.parts === undefined) inspectEvaluatedText(list, node.value, depth);
      return eachChild(node, (child) => inspectEvaluated(list, child, depth));
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return; // scripts of their own, visited as such
    default:
      eachChild(node, (child) => inspectEvaluated(list, child, depth));
  }
}

function inspectEvaluatedText(list: FindingsList, text: string, depth: number): void {
  if (!hidesCommand(text)) return;
  list.unverified("text that is evaluated again holds a command");
  visitSource(list, text, depth + 1);
}

function hidesCommand(text: string): boolean {
  return /[$<>]\(|`/.test(text);
}

function wordsOf(command: Command): readonly Argument[] {
  if (command.name === undefined) return [];
  const args = command.args.map((arg): Argument => {
    if (arg.type === "Word") return argumentOf(arg);
    const value = arg.value.type === "Word" && arg.index === undefined ? argumentOf(arg.value).literal : undefined;
    const literal = value === undefined ? undefined : `${arg.name}${arg.append === true ? "+=" : "="}${value}`;
    return { literal, text: arg.text };
  });
  return [argumentOf(command.name), ...args];
}

function contextOf(command: Command, list: FindingsList, depth: number): CommandContext {
  return {
    redirections: command.redirects,
    nested: (source) => visitSource(list, source, depth + 1),
    evaluated: (text) => inspectEvaluatedText(list, text, depth),
    addsWords: false,
    replaced: "nothing",
    nesting: 0,
  };
}
