// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Editor, type TUI, visibleWidth } from "./pi-tui.js";
import type { Theme } from "./theme.js";

/** A prompt's width at most, as a share of the terminal's: the text needs the rest. */
const WIDEST_PROMPT: number = 0.5;

/** The line editor, with the prompt before its first row and no frame around it. */
export class PromptEditor extends Editor {
  /** Styled; "" for none. */
  prompt = "";

  readonly #dim: (text: string) => string;

  constructor(tui: TUI, theme: Theme) {
    super(tui, theme.editor);
    this.#dim = theme.dim;
  }

  override render(width: number): string[] {
    const wide = visibleWidth(this.prompt);
    const [prompt, indent] = wide > width * WIDEST_PROMPT ? ["", 0] : [this.prompt, wide];
    const rows = super.render(width - indent).filter((row) => row !== "");
    return rows.map((row, at) => `${at === 0 ? prompt : " ".repeat(indent)}${row.trimEnd()}`);
  }

  protected override renderTopBorder(_width: number, hidden: number): string {
    return hidden === 0 ? "" : this.#dim(`↑ ${hidden}`);
  }

  protected override renderBottomBorder(_width: number, hidden: number): string {
    return hidden === 0 ? "" : this.#dim(`↓ ${hidden}`);
  }
}
