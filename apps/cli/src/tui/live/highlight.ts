// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type core from "highlight.js/lib/core";
import type { Style } from "./style.js";

/** Colours the lines of a code block; `undefined` for a language nobody knows. */
export type Highlight = (code: string, language: string | undefined) => string[] | undefined;

/** Languages a model writes most; each is loaded with the first block of code. */
const LANGUAGES = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  shell: () => import("highlight.js/lib/languages/shell"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
} as const;

/** What highlight.js calls a piece of code, and how it looks here. */
export interface Palette {
  readonly keyword: Style;
  readonly text: Style;
  readonly number: Style;
  readonly name: Style;
  readonly comment: Style;
  readonly added: Style;
  readonly removed: Style;
}

const KINDS: Readonly<Record<string, keyof Palette>> = {
  keyword: "keyword",
  literal: "number",
  number: "number",
  string: "text",
  regexp: "text",
  comment: "comment",
  quote: "comment",
  title: "name",
  section: "name",
  built_in: "name",
  type: "name",
  attr: "name",
  attribute: "name",
  tag: "keyword",
  name: "keyword",
  meta: "comment",
  addition: "added",
  deletion: "removed",
};

/** Loads the highlighter and its languages. */
export async function loadHighlight(palette: Palette): Promise<Highlight> {
  const { default: hljs } = await import("highlight.js/lib/core");
  const loaded = await Promise.all(
    Object.entries(LANGUAGES).map(async ([name, load]) => [name, (await load()).default] as const),
  );
  for (const [name, language] of loaded) hljs.registerLanguage(name, language);
  return (code, language) => linesOf(hljs, code, language, palette);
}

function linesOf(
  hljs: typeof core,
  code: string,
  language: string | undefined,
  palette: Palette,
): string[] | undefined {
  if (language === undefined || hljs.getLanguage(language) === undefined) return undefined;
  const html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
  const open: (Style | undefined)[] = [];
  const painted = html.split(/(<span class="[^"]*">|<\/span>)/).map((piece) => {
    const [, kind] = /^<span class="hljs-([\w-]+)/.exec(piece) ?? [];
    if (kind !== undefined) {
      const name = KINDS[kind];
      open.push(name === undefined ? open.at(-1) : palette[name]);
      return "";
    }
    if (piece === "</span>") {
      open.pop();
      return "";
    }
    const paint = open.at(-1);
    const text = unescaped(piece);
    // Each line by itself: a row of the terminal carries its own colours.
    return paint === undefined ? text : text.replace(/[^\n]+/g, paint);
  });
  return painted.join("").split("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescaped(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
