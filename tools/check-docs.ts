// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Every exported declaration has a doc comment that says something (28 RR-11, RR-12).

import path from "node:path";
import ts from "typescript";
import { finish, type Problem, type Report } from "./report.ts";
import { isTest, readSources, type Source } from "./sources.ts";

/** Checks the packages, apps and tools of a root; tests and fakes for tests are exempt. */
export function checkDocs(root: string): Report {
  const sources = readSources(root, ["pkg", "apps", "tools", "bench"]).filter(({ file }) => !isTest(file));
  return { files: sources.length, problems: sources.flatMap(undocumented) };
}

/** Exported declarations of one file that say nothing. Re-exports speak through what they export. */
export function undocumented(source: Source): readonly Problem[] {
  const problems: Problem[] = [];
  const documented = new Set<string>();
  for (const statement of source.ast.statements) {
    if (!isExported(statement)) continue;
    const name = nameOf(statement);
    // The overloads of a function share the comment of the first.
    if (speaks(source, statement)) documented.add(name);
    else if (!documented.has(name)) problems.push(problemAt(source, statement, name));
    if (ts.isClassDeclaration(statement)) problems.push(...silentMembers(source, statement, name));
  }
  return problems;
}

function isExported(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false)
  );
}

function nameOf(node: ts.Statement): string {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.map((declaration) => declaration.name.getText()).join(", ");
  const { name } = node as ts.DeclarationStatement;
  return name === undefined ? "default" : name.getText();
}

/** Public methods and fields of an exported class; constructors and overrides need no words. */
function silentMembers(source: Source, node: ts.ClassDeclaration, className: string): readonly Problem[] {
  return node.members
    .filter((member) => ts.isMethodDeclaration(member) || ts.isPropertyDeclaration(member) || ts.isAccessor(member))
    .filter((member) => member.name !== undefined && ts.isIdentifier(member.name))
    .filter((member) => {
      const flags = ts.getCombinedModifierFlags(member);
      return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Override)) === 0;
    })
    .filter((member) => !speaks(source, member))
    .map((member) => problemAt(source, member, `${className}.${member.name?.getText() ?? ""}`));
}

/** Whether a doc comment right above says more than a lone tag or the license header. */
function speaks({ text }: Source, node: ts.Node): boolean {
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return comments.some(({ pos, end }) => {
    const comment = text.slice(pos, end);
    if (!comment.startsWith("/**")) return false;
    const words = comment.replace(/^\/\*\*|\*\/$/g, "").replace(/^\s*\*/gm, "");
    return /[A-Za-z]{2}/.test(words.replace(/@(internal|public|packageDocumentation)\b/g, ""));
  });
}

function problemAt({ file, ast }: Source, node: ts.Node, name: string): Problem {
  const line = ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
  return { file, line, rule: "doc", text: `${name} is exported without a doc comment` };
}

if (import.meta.main) process.exitCode = finish("docs", checkDocs(path.resolve(import.meta.dirname, "..")));
