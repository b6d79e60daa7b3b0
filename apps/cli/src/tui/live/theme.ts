// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { EditorTheme, MarkdownTheme, SelectListTheme } from "./pi-tui.js";
import type { Highlight } from "./highlight.js";
import type { Style } from "./style.js";

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
  /** Colours code from the time it resolves; loads the highlighter, which is why it waits. */
  loadHighlight(): Promise<void>;
}

const plain: Style = (text) => text;

/** The theme; without colour, weight and underline remain (TUI-68). */
export function createTheme(colour: boolean): Theme {
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
  let highlight: Highlight | undefined;
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
      highlightCode: (code, language) => highlight?.(code, language) ?? code.split("\n"),
    },
    loadHighlight: async () => {
      if (!colour || highlight !== undefined) return;
      const { loadHighlight } = await import("./highlight.js");
      const palette = { keyword: inColour(35), text: good, number: warn, name: inColour(34), comment: dim };
      highlight = await loadHighlight({ ...palette, added: good, removed: bad });
    },
  };
}
