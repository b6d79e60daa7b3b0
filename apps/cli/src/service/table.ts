// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { printable } from "../output/output.js";

/** Lines of columns as wide as their widest cell, two blanks between; whatever is in a cell stays on its line. */
export function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(oneLine));
  const widths = titles.map((_title, at) => Math.max(...lines.map((cells) => lengthOf(cells[at] ?? ""))));
  const pad = (cell: string, at: number): string => cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell));
  return lines.map((cells) => `${cells.map(pad).join("  ").trimEnd()}\n`).join("");
}

/** Text cut to so many characters, the last of them `…` when something is left out. */
export function shortened(text: string, most: number): string {
  const points = [...oneLine(text)];
  return points.length <= most ? points.join("") : `${points.slice(0, most - 1).join("")}…`;
}

/** How long something takes, in its largest unit: `45s`, `12m`, `3h`, `2d`. */
export function briefDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** A path with the user's home as `~`. */
export function homeRelative(file: string, home: string): string {
  if (file === home) return "~";
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, " ").trim();
}

function lengthOf(text: string): number {
  return [...text].length;
}
