// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Every message of the catalog is shown somewhere, and every key asked for is in it (I18N-07, I18N-09).

import ts from "typescript";
import { finish, type Problem, type Report } from "./report.ts";
import { isTest, readSources, type Source } from "./sources.ts";

const CATALOGS = "pkg/i18n/catalogs";
const ENGLISH = `${CATALOGS}/en-us.ts`;
const KEY: RegExp = /^[a-z_]+(\.[A-Za-z0-9_]+)+$/;

/** What sources say about keys: those given to `t` outright, any quoted one, and the beginnings of built ones. */
interface Mentions {
  readonly asked: { readonly key: string; readonly file: string; readonly line: number }[];
  readonly quoted: Set<string>;
  readonly prefixes: Set<string>;
}

/** Compares the catalog of a root with the sources of its packages and apps. */
export function checkMessages(root: string): Report {
  const catalog = readSources(root, [CATALOGS]).find(({ file }) => file === ENGLISH);
  if (catalog === undefined) return { files: 0, problems: [] };
  const sources = readSources(root, ["pkg", "apps"]).filter(
    ({ file }) => !isTest(file) && !file.startsWith(`${CATALOGS}/`),
  );
  const keys = keysOf(catalog);
  const { asked, quoted, prefixes } = mentionsIn(sources);
  const isMentioned = (key: string): boolean =>
    quoted.has(key) || [...prefixes].some((prefix) => key.startsWith(prefix));
  const unused = [...keys].filter(([key]) => !isMentioned(key));
  const problems: readonly Problem[] = [
    ...unused.map(([key, line]) => ({ file: ENGLISH, line, rule: "messages", text: `${key} is used nowhere` })),
    ...asked
      .filter(({ key }) => !keys.has(key))
      .map(({ key, file, line }) => ({ file, line, rule: "messages", text: `the catalog has no ${key}` })),
  ];
  return { files: sources.length + 1, problems, note: `${keys.size} keys, ${asked.length} asked for by name` };
}

/** The keys of a catalog, with their lines. */
function keysOf({ ast }: Source): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) keys.set(node.name.text, lineOf(ast, node));
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return keys;
}

function mentionsIn(sources: readonly Source[]): Mentions {
  const found: Mentions = { asked: [], quoted: new Set(), prefixes: new Set() };
  for (const { file, ast } of sources) {
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) && KEY.test(node.text)) found.quoted.add(node.text);
      if (ts.isTemplateExpression(node) && /^[a-z_]+\./.test(node.head.text)) found.prefixes.add(node.head.text);
      const key = keyAskedBy(node);
      if (key !== undefined) found.asked.push({ key, file, line: lineOf(ast, node) });
      ts.forEachChild(node, visit);
    };
    visit(ast);
  }
  return found;
}

/** The key of `t("…")` or `messages.t("…")`. */
function keyAskedBy(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const [first] = node.arguments;
  if (!ts.isIdentifier(name) || name.text !== "t" || first === undefined) return undefined;
  return ts.isStringLiteralLike(first) ? first.text : undefined;
}

function lineOf(ast: ts.SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
}

if (import.meta.main) process.exitCode = finish("messages", checkMessages(process.cwd()));
