// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AutocompleteProvider } from "./pi-tui.js";
import type { Complete } from "../surface.js";

/** Completion as the line editor asks for it: a menu that opens by itself after `/` and `@`, and with Tab. */
export function createCompletionMenu(complete: Complete): AutocompleteProvider {
  return {
    getSuggestions: async (lines, row, column, { signal }) => {
      const before = [...lines.slice(0, row), (lines[row] ?? "").slice(0, column)].join("\n");
      const found = await complete(before);
      if (found === undefined || signal.aborted || found.items.length === 0) return null;
      const items = found.items.map(({ text, detail }) => ({
        value: text,
        label: text,
        ...(detail === undefined || detail === "" ? {} : { description: detail }),
      }));
      return { items, prefix: found.replaces };
    },
    applyCompletion: (lines, row, column, item, prefix) => {
      const line = lines[row] ?? "";
      const end = item.value.endsWith("/") ? item.value : `${item.value} `;
      const start = line.slice(0, column - prefix.length);
      const changed = [...lines];
      changed[row] = `${start}${end}${line.slice(column).trimStart()}`;
      return { lines: changed, cursorLine: row, cursorCol: start.length + end.length };
    },
  };
}
