// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Component } from "@earendil-works/pi-tui";
import type { Activity } from "./activity.js";
import type { Picker } from "./picker.js";
import type { PromptEditor } from "./prompt-editor.js";
import type { TurnView } from "./turn-view.js";

/** What the live region is drawn from. */
export interface RegionParts {
  readonly view: TurnView;
  readonly activity: Activity;
  readonly editor: PromptEditor;
  /** Takes the editor's place while something is chosen. */
  readonly picker: () => Picker | undefined;
  readonly rows: () => number;
}

/** The live region: the open block, what runs, then the editor or a picker. Never taller than the screen. */
export function createRegion({ view, activity, editor, picker, rows }: RegionParts): Component {
  return {
    invalidate: () => undefined,
    render: (width) => {
      const asked = picker();
      const below = [...activity.rows(width), "", ...(asked ?? editor).render(width)];
      const most = rows() - 1 - below.length;
      const open = view.rows(width);
      const shown = open.length === 0 || most < 2 ? [] : ["", ...open.slice(-(most - 1))];
      return [...shown, ...below].slice(-Math.max(1, rows() - 1));
    },
  };
}
