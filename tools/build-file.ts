// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The text of one BUILD.bazel file, laid out as buildifier would.

/** The two lines every BUILD.bazel begins with, and whose file it is. */
const HEADER = `# SPDX-License-Identifier: Apache-2.0
# Copyright 2026 The Blitz Authors

# Written by tools/tidy.ts from tools/deps.json and the imports; edit those and run it again.
`;

/** A rule's attributes in the order they are written. */
export type Attributes = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A `load` line: the file and the names it brings. */
export type Load = readonly [file: string, ...names: readonly string[]];

const quoted = (text: string): string => `"${text}"`;

function renderValue(value: string | readonly string[]): string {
  if (typeof value === "string") return quoted(value);
  const [only] = value;
  if (value.length === 1 && only !== undefined) return `[${quoted(only)}]`;
  return `[\n${value.map((item) => `        ${quoted(item)},\n`).join("")}    ]`;
}

/** One call of a rule; empty lists and `undefined` are left out. */
export function renderRule(rule: string, attributes: Attributes): string {
  const lines = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value.length > 0)
    .map(([name, value]) => `    ${name} = ${renderValue(value ?? "")},\n`);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return `${rule}(${only.trim().slice(0, -1)})\n`;
  return `${rule}(\n${lines.join("")})\n`;
}

/** A whole file: header, loads sorted by file, then the rules with a blank line between. */
export function renderBuildFile(loads: readonly Load[], rules: readonly string[]): string {
  const foreign = (file: string): number => (file.startsWith("@") ? 0 : 1);
  const sorted = [...loads].sort(([a], [b]) => foreign(a) - foreign(b) || (a < b ? -1 : 1));
  const lines = sorted.map(([file, ...names]) => `load("${file}", ${names.map((name) => `"${name}"`).join(", ")})\n`);
  return `${HEADER}\n${lines.join("")}\n${rules.join("\n")}`;
}

/** Labels in buildifier's order: of this package, of this repository, of others; each sorted. */
export function sortLabels(labels: Iterable<string>): readonly string[] {
  const rank = (label: string): number => (label.startsWith(":") ? 0 : label.startsWith("//") ? 1 : 2);
  // buildifier compares the parts between separators, so "//a:b" comes before "//a/b:c".
  const key = (label: string): string => label.replaceAll(":", "\u0001").replaceAll("/", "\u0002");
  return [...new Set(labels)].sort((a, b) => rank(a) - rank(b) || (key(a) < key(b) ? -1 : 1));
}
