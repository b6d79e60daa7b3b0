// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Component, truncateToWidth } from "./pi-tui.js";
import type { Activity } from "./activity.js";
import type { LiveInput } from "./live-input.js";
import type { PromptEditor } from "./prompt-editor.js";
import type { Theme } from "./theme.js";
import type { TurnView } from "./turn-view.js";

/** What the live region is drawn from. */
export interface RegionParts {
  readonly view: TurnView;
  readonly activity: Activity;
  readonly editor: PromptEditor;
  readonly theme: Pick<Theme, "dim">;
  /** What is chosen takes the editor's place; a hint stands below it. */
  readonly input: Pick<LiveInput, "picker" | "hint">;
  readonly rows: () => number;
}

/** The live region: the open block, what runs, then the editor or a picker. Never taller than the screen. */
export function createRegion({ view, activity, editor, theme, input, rows }: RegionParts): Component {
  return {
    invalidate: () => undefined,
    render: (width) => {
      const asked = input.picker();
      const hint = input.hint();
      const below = [
        ...(asked === undefined ? activity.rows(width) : []),
        "",
        ...(asked ?? editor).render(width),
        ...(hint === "" ? [] : [theme.dim(truncateToWidth(hint, width))]),
      ];
      const most = rows() - 1 - below.length;
      const open = view.rows(width);
      const shown = open.length === 0 || most < 2 ? [] : ["", ...open.slice(-(most - 1))];
      return [...shown, ...below].slice(-Math.max(1, rows() - 1));
    },
  };
}
