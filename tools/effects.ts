// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Which files may touch the world: facts are pure, and only some rooms reach disk, processes and
// network (rules 5 and 6 of the house).

import ts from "typescript";
import { type DepsTable, packageOf, roomOf } from "./deps-table.ts";
import type { Problem } from "./report.ts";
import { isTest, type Source } from "./sources.ts";

const WORLD = /^node:(fs|child_process|net|http|http2|https|tls|dgram|dns|cluster|worker_threads)(\/|$)/;
/** Globals by which code learns the time, chance or the process it runs in. */
const IMPURE: ReadonlySet<string> = new Set([
  "Date.now",
  "Math.random",
  "performance",
  "process",
  "crypto",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
]);

/** Effects in a file that its row doesn't allow. Tests and programs may have any. */
export function effectsOf(table: DepsTable, source: Source): readonly Problem[] {
  const { file } = source;
  const room = roomOf(table, file);
  const row = room === undefined ? undefined : table.rooms[room];
  const folder = table.packages[packageOf(file)];
  if (isTest(file)) return [];
  if (row?.floor === 0 || folder?.pure === true) return impurities(source);
  if (row === undefined || row.floor === 1 || row.effects === true) return [];
  const problems: Problem[] = source.imports
    .filter(({ specifier }) => WORLD.test(specifier))
    .map(({ specifier, line }) => ({ file, line, rule: "effect", text: `${room} may not use ${specifier}` }));
  return [...problems, ...globals(source, new Set(["fetch"]), "effect", `${room} may not use`)];
}

function impurities(source: Source): readonly Problem[] {
  const { file } = source;
  const imports = source.imports
    .filter(({ specifier }) => specifier.startsWith("node:"))
    .map(({ specifier, line }) => ({ file, line, rule: "pure", text: `facts may not use ${specifier}` }));
  return [...imports, ...globals(source, IMPURE, "pure", "facts may not use")];
}

function globals(source: Source, names: ReadonlySet<string>, rule: string, text: string): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (node: ts.Node, what: string): void => {
    const { line } = source.ast.getLineAndCharacterOfPosition(node.getStart(source.ast));
    problems.push({ file: source.file, line: line + 1, rule, text: `${text} ${what}` });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && names.has(node.getText(source.ast))) add(node, node.getText(source.ast));
    else if (ts.isNewExpression(node) && names.has("Date.now") && isEmptyDate(node)) add(node, "new Date()");
    else if (ts.isIdentifier(node) && names.has(node.text) && isGlobalUse(node)) add(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(source.ast);
  return problems;
}

const isEmptyDate = (node: ts.NewExpression): boolean =>
  ts.isIdentifier(node.expression) && node.expression.text === "Date" && (node.arguments?.length ?? 0) === 0;

/** Whether a name is called or read as a global: not a member, a parameter or a property's key. */
function isGlobalUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression === node && !isShadowed(node);
  return ts.isPropertyAccessExpression(parent) && parent.expression === node && !isShadowed(node);
}

/** Whether a parameter or variable of that name is declared around the use. */
function isShadowed(node: ts.Identifier): boolean {
  for (let scope: ts.Node = node.parent; scope !== undefined; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some((parameter) => binds(parameter.name, node.text))) return true;
    if (ts.isBlock(scope) || ts.isSourceFile(scope))
      for (const statement of scope.statements)
        if (
          ts.isVariableStatement(statement) &&
          statement.declarationList.declarations.some((declaration) => binds(declaration.name, node.text))
        )
          return true;
  }
  return false;
}

function binds(name: ts.BindingName, text: string): boolean {
  if (ts.isIdentifier(name)) return name.text === text;
  return name.elements.some((element) => ts.isBindingElement(element) && binds(element.name, text));
}
