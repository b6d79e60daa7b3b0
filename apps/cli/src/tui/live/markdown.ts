// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js";
import type { MarkdownTheme } from "./pi-tui.js";

/** Rows of rendered Markdown, none wider than `width`, without the blank ones around it. */
export function renderMarkdown(text: string, width: number, theme: MarkdownTheme): readonly string[] {
  const options = { renderLatex: false, preserveOrderedListMarkers: true, preserveBackslashEscapes: false };
  const rows = new Markdown(text, 0, 0, theme, undefined, options).render(width).map((row) => row.trimEnd());
  const first = rows.findIndex((row) => row !== "");
  return first < 0 ? [] : rows.slice(first, rows.findLastIndex((row) => row !== "") + 1);
}
