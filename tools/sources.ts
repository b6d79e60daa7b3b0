// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The project's source files and what they import.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** How one file names another. */
export interface Import {
  readonly specifier: string;
  /** `import()`, which loads only when it runs. */
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
  /** `export * from`. */
  readonly star: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** One parsed file. The path is relative to the root, with forward slashes. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly ast: ts.SourceFile;
  readonly imports: readonly Import[];
}

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage"]);
/** The code generated from the protos, under the root. */
const GENERATED = "proto/gen";

/** Every file under some folders of a root whose name ends with one of the endings, sorted. */
export function listFiles(root: string, folders: readonly string[], endings: readonly string[]): readonly string[] {
  const found: string[] = [];
  const walk = (dir: string): void => {
    const full = path.join(root, dir);
    if (!existsSync(full)) return;
    for (const entry of readdirSync(full, { withFileTypes: true })) {
      const file = path.posix.join(dir, entry.name);
      if (entry.isDirectory()) {
        const skipped = SKIPPED.has(entry.name) || file === GENERATED;
        if (!skipped && !entry.name.startsWith(".") && !entry.name.startsWith("bazel-")) walk(file);
      } else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) found.push(file);
    }
  };
  for (const folder of folders) walk(folder);
  return found.sort();
}

/** Whether a file is a test or serves tests (`testing/`, a package's `test/`): it may import more than the sources. */
export function isTest(file: string): boolean {
  return file.endsWith(".test.ts") || /(^|\/)(test|testing)\//.test(file);
}

/** Parses one file. */
export function parseSource(root: string, file: string): Source {
  const text = readFileSync(path.join(root, file), "utf8");
  const ast = ts.createSourceFile(file, text, ts.ScriptTarget.ES2024, true, ts.ScriptKind.TS);
  return { file, text, ast, imports: importsOf(ast) };
}

/** Parses every TypeScript file under the folders. */
export function readSources(root: string, folders: readonly string[]): readonly Source[] {
  return listFiles(root, folders, [".ts"])
    .filter((file) => !file.endsWith(".d.ts"))
    .map((file) => parseSource(root, file));
}

/** The npm package a bare specifier names: `@scope/name` or `name`. */
export function packageNameOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function importsOf(ast: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: string, rest: Partial<Import>): void => {
    const line = ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
    found.push({ specifier, line, dynamic: false, typeOnly: false, star: false, ...rest });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier.text, { typeOnly: importsOnlyTypes(node.importClause) });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      const star = node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
      add(node, node.moduleSpecifier.text, { typeOnly: node.isTypeOnly, star });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [what] = node.arguments;
      // A computed path can't be checked, so it counts as an import of nothing that is allowed.
      add(node, what && ts.isStringLiteralLike(what) ? what.text : "<computed>", { dynamic: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const literal = node.argument.literal;
      if (ts.isStringLiteral(literal)) add(node, literal.text, { typeOnly: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(ast);
  return found;
}

function importsOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}
