// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import { truncateToWidth } from "./pi-tui.js";
import { countOf } from "../usage-line.js";
import type { Theme } from "./theme.js";

const FRAMES: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS: number = 120;

/** What a turn does at the moment: a row a running tool, and the spinner's (TUI-04). */
export interface Activity {
  /** Begins; `redraw` is called whenever a row changes. */
  start(redraw: () => void): void;
  stop(): void;
  /** A tool runs, until its result. */
  toolStarted(id: string, label: string): void;
  toolEnded(id: string): void;
  /** Text came from the model. */
  received(text: string): void;
  rows(width: number): readonly string[];
}

/** The activity of a turn, without a spinner where none is wanted. Tokens are an estimate until the provider counts them: four bytes each. */
export function createActivity(theme: Theme, messages: Messages, hasSpinner: boolean): Activity {
  const tools = new Map<string, string>();
  let startedAt = 0;
  let bytes = 0;
  let isOn = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    isOn = false;
    tools.clear();
  };
  return {
    start: (redraw) => {
      stop();
      startedAt = performance.now();
      bytes = 0;
      isOn = true;
      if (hasSpinner) timer = setInterval(redraw, FRAME_MS);
    },
    stop,
    toolStarted: (id, label) => void tools.set(id, label),
    toolEnded: (id) => void tools.delete(id),
    received: (text) => {
      bytes += Buffer.byteLength(text);
    },
    rows: (width) => {
      if (!isOn) return [];
      const elapsedMs = performance.now() - startedAt;
      const frame = theme.accent(FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length] ?? "");
      const tokens = bytes < 4 ? "" : ` · ↓ ~${countOf(Math.round(bytes / 4))}`;
      const rest = theme.dim(messages.t("live.working", { elapsed: `${Math.floor(elapsedMs / 1000)}s`, tokens }));
      const running = [...tools.values()].map((label) => `${theme.accent("●")} ${label}`);
      return [...running, ...(hasSpinner ? [`${frame} ${rest}`] : [])].map((row) => truncateToWidth(row, width));
    },
  };
}
