// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

/** Wraps text in a style where styles are shown. */
export type Style = (text: string) => string;

/** How everything in the session looks. Only the terminal's own sixteen colours, so that it fits dark and light. */
export interface Theme {
  readonly bold: Style;
  readonly dim: Style;
  readonly good: Style;
  readonly warn: Style;
  readonly bad: Style;
  readonly accent: Style;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
  readonly markdown: MarkdownTheme;
}

const plain: Style = (text) => text;

/** The theme; without colour, weight and underline remain (TUI-68). `highlight` colours the lines of a code block. */
export function createTheme(
  colour: boolean,
  highlight: (code: string, language: string | undefined) => string[] | undefined,
): Theme {
  const sgr =
    (on: number, off: number): Style =>
    (text) =>
      `\u001b[${on}m${text}\u001b[${off}m`;
  const inColour = (code: number): Style => (colour ? sgr(code, 39) : plain);
  const bold = sgr(1, 22);
  const dim = colour ? sgr(2, 22) : plain;
  const [good, warn, bad, accent] = [inColour(32), inColour(33), inColour(31), inColour(36)];
  const select: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: (text) => bold(accent(text)),
    description: dim,
    scrollInfo: dim,
    noMatch: warn,
  };
  return {
    bold,
    dim,
    good,
    warn,
    bad,
    accent,
    select,
    editor: { borderColor: dim, selectList: select },
    markdown: {
      heading: (text) => bold(accent(text)),
      link: (text) => sgr(4, 24)(accent(text)),
      linkUrl: dim,
      code: accent,
      codeBlock: plain,
      codeBlockBorder: () => "",
      quote: sgr(3, 23),
      quoteBorder: dim,
      hr: dim,
      listBullet: accent,
      bold,
      italic: sgr(3, 23),
      strikethrough: sgr(9, 29),
      underline: sgr(4, 24),
      highlightCode: (code, language) => highlight(code, language) ?? code.split("\n"),
    },
  };
}
