// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Component, decodeKittyPrintable, matchesKey, truncateToWidth, visibleWidth } from "./pi-tui.js";
import { printable } from "../../output/output.js";
import type { Choice } from "../surface.js";
import type { Theme } from "./theme.js";

/** Items shown at once. */
const MOST_SHOWN: number = 10;

/** Words of a picker. */
export interface PickerWords {
  /** What the keys do. */
  readonly hint: string;
  /** Stands where no item matches. */
  readonly none: string;
}

/** What becomes of a key at a picker. */
export type Picked = { readonly key: string } | "cancelled" | undefined;

/** A list to choose from, filtered by typing (TUI-15). */
export interface Picker extends Component {
  /** Whether keys count; the hint is shown as soon as they do. */
  isOpen: boolean;
  /** Takes a key; what it decided, or `undefined` when the choice is still open. */
  press(key: string): Picked;
}

/** A picker of `choices`; `current` is marked first. */
export function createPicker(
  title: string,
  choices: readonly Choice[],
  current: string | undefined,
  theme: Theme,
  words: PickerWords,
): Picker {
  const head = oneLine(title);
  const all = choices.map((choice) => ({
    ...choice,
    text: oneLine(choice.label),
    more: oneLine(choice.detail ?? ""),
  }));
  const folded = all.map(({ text, more }) => `${text} ${more}`.toLowerCase());
  let filter = "";
  let shown = all;
  let at = Math.max(
    0,
    all.findIndex(({ key }) => key === current),
  );

  const refilter = (typed: string): void => {
    filter = typed;
    const parts = typed.toLowerCase().split(/\s+/);
    shown = all.filter((_, index) => parts.every((part) => folded[index]?.includes(part) === true));
    at = 0;
  };
  const move = (by: number): void => {
    if (shown.length > 0) at = Math.min(shown.length - 1, Math.max(0, at + by));
  };
  const picker: Picker = {
    isOpen: false,
    invalidate: () => undefined,
    press: (key) => {
      if (matchesKey(key, "ctrl+c")) return "cancelled";
      if (matchesKey(key, "escape")) {
        if (filter === "") return "cancelled";
        refilter("");
      } else if (matchesKey(key, "enter")) {
        const chosen = shown[at];
        return chosen === undefined ? undefined : { key: chosen.key };
      } else if (matchesKey(key, "up") || matchesKey(key, "ctrl+p")) move(-1);
      else if (matchesKey(key, "down") || matchesKey(key, "ctrl+n")) move(1);
      else if (matchesKey(key, "pageUp")) move(-MOST_SHOWN);
      else if (matchesKey(key, "pageDown")) move(MOST_SHOWN);
      else if (matchesKey(key, "backspace")) refilter([...filter].slice(0, -1).join(""));
      else if (matchesKey(key, "ctrl+u")) refilter("");
      else {
        const typed = decodeKittyPrintable(key) ?? key;
        const direct = filter === "" ? all.find(({ shortcut }) => shortcut === typed.toLowerCase()) : undefined;
        if (direct !== undefined) return { key: direct.key };
        if (isText(typed)) refilter(`${filter}${typed}`);
      }
      return undefined;
    },
    render: (width) => {
      const first = Math.max(0, Math.min(at - Math.floor(MOST_SHOWN / 2), shown.length - MOST_SHOWN));
      const rows = shown.slice(first, first + MOST_SHOWN).map(({ text, more, shortcut }, index) => {
        const isAt = first + index === at;
        const label = `${isAt ? "❯" : " "} ${shortcut === undefined ? "" : `${shortcut} `}${text}`;
        return `${isAt ? theme.select.selectedText(label) : label}${more === "" ? "" : theme.dim(`  ${more}`)}`;
      });
      const count = shown.length > MOST_SHOWN ? ` · ${at + 1}/${shown.length}` : "";
      return [
        `${theme.bold(head)}${filter === "" ? "" : ` ${filter}`}`,
        ...(rows.length === 0 ? [theme.warn(words.none)] : rows),
        picker.isOpen ? theme.dim(`${words.hint}${count}`) : "",
      ].map((row) => (visibleWidth(row) > width ? truncateToWidth(row, width) : row));
    },
  };
  return picker;
}

/** Whether a key is a character to type: no control, no sequence of a terminal. */
function isText(key: string): boolean {
  return key.length > 0 && !/[\u0000-\u001f\u007f-\u009f]/.test(key);
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, " ").trim();
}
