// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ProcessTerminal, TuiMainScreen, type TuiMainScreenRenderState, visibleWidth } from "./pi-tui.js";

/** What pi-tui writes to begin anew; it would take the terminal's scrollback with it. */
const CLEAR_ALL: string = "\u001b[2J\u001b[H\u001b[3J";
const ERASE_BELOW: string = "\u001b[J";
/** Frames are shown whole by terminals that know the mode, and as they come by the others. */
const FRAME_BEGINS: string = "\u001b[?2026h";
const FRAME_ENDS: string = "\u001b[?2026l";
/** Where pi-tui put the cursor in its row, counted from 1. */
const COLUMN: RegExp = /\u001b\[(\d+)G/g;

/** The terminal as pi-tui sees it: a frame is one write, and only the live region is ever erased. */
class RegionTerminal extends ProcessTerminal {
  #frame: string | undefined;
  #eraseRegion = "";
  /** The cursor's column after the last frame, counted from 0. */
  column = 0;

  /** Runs `draw`; all it writes goes out at once, after `head`. `erase` stands in for pi-tui's own clearing. */
  frame(head: string, erase: string, draw: () => void): void {
    this.#frame = head;
    this.#eraseRegion = erase;
    try {
      draw();
    } finally {
      const drawn = this.#frame;
      this.#frame = undefined;
      if (drawn !== "") super.write(`${FRAME_BEGINS}${drawn}${FRAME_ENDS}`);
    }
  }

  override write(data: string): void {
    if (this.#frame === undefined) return super.write(data);
    const own = data.replaceAll(FRAME_BEGINS, "").replaceAll(FRAME_ENDS, "").replace(CLEAR_ALL, this.#eraseRegion);
    for (const [, column] of own.matchAll(COLUMN)) this.column = Number(column) - 1;
    this.#frame += own;
  }

  override hideCursor(): void {
    this.write("\u001b[?25l");
  }

  override showCursor(): void {
    this.write("\u001b[?25h");
  }
}

/**
 * A terminal's main screen with a live region at its end. What is printed above the region is written
 * once and belongs to the terminal from then on: its scrollback, selection and reflow are untouched.
 */
export class LiveScreen extends TuiMainScreen {
  readonly #terminal: RegionTerminal;
  #printed: string[] = [];
  #isOn = false;
  #title = "";

  constructor() {
    const terminal = new RegionTerminal();
    super(terminal, true);
    this.#terminal = terminal;
  }

  /** Columns of the terminal. */
  get columns(): number {
    return this.#terminal.columns;
  }

  /** Rows of the terminal. */
  get rows(): number {
    return this.#terminal.rows;
  }

  /** Prints lines above the region, in the next frame. The text ends without a line break. */
  print(text: string): void {
    if (text.endsWith("\n")) throw new Error("printed text ends its own lines");
    this.#printed.push(`${text.replaceAll("\n", "\r\n")}\r\n`);
    if (this.#isOn) this.requestRender();
    else this.#flush();
  }

  /** Titles the window; the title goes when the terminal is given back (TUI-06). */
  setTitle(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    this.#terminal.setTitle(title);
  }

  /** Writes a sequence that moves nothing in the region, such as the bell. */
  signal(sequence: string): void {
    this.#terminal.write(sequence);
  }

  override start(): void {
    this.restoreRenderState(this.#emptyRegion());
    super.start();
    this.#isOn = true;
    this.renderNow(); // a frame asked for while it was off would be waited for in vain
  }

  /** Erases the region and gives the terminal back as it was found. */
  override stop(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    const erase = this.#eraseRegion();
    this.#terminal.frame(erase, "", () => undefined);
    this.#flush();
    this.setTitle("");
    super.stop({ preserveScreen: true });
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const erase = this.#eraseRegion();
    const printed = this.#printed.splice(0).join("");
    if (printed === "") return this.#terminal.frame("", erase, () => super.doRender());
    this.restoreRenderState(this.#emptyRegion());
    this.#terminal.frame(`${erase}${printed}`, "", () => super.doRender());
  }

  #flush(): void {
    const printed = this.#printed.splice(0).join("");
    if (printed !== "") this.#terminal.write(printed);
  }

  #emptyRegion(): TuiMainScreenRenderState {
    return {
      previousLines: [],
      previousWidth: this.#terminal.columns,
      previousHeight: this.#terminal.rows,
      cursorRow: 0,
      hardwareCursorRow: 0,
      maxLinesRendered: 0,
      previousViewportTop: 0,
    };
  }

  #eraseRegion(): string {
    const { previousLines, hardwareCursorRow } = this.captureRenderState();
    const width = this.#terminal.columns;
    const above = rowsAbove(previousLines, hardwareCursorRow, this.#terminal.column, width);
    const up = Math.min(above, this.#terminal.rows - 1);
    return `\r${up > 0 ? `\u001b[${up}A` : ""}${ERASE_BELOW}`;
  }
}

/**
 * How many rows of a region stand above its cursor in a terminal that is now `width` columns wide: a
 * terminal that became narrower has wrapped the rows that no longer fit.
 */
export function rowsAbove(lines: readonly string[], cursorRow: number, cursorColumn: number, width: number): number {
  const rows = lines.slice(0, cursorRow).map((line) => Math.max(1, Math.ceil(visibleWidth(line) / width)));
  return rows.reduce((sum, count) => sum + count, 0) + Math.floor(cursorColumn / width);
}
