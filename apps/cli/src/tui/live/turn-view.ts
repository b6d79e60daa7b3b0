// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { TurnEvent } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { wrapTextWithAnsi } from "./pi-tui.js";
import { printable } from "../../output/output.js";
import { deferPrinter, type Printer } from "../../output/printer.js";
import { SHOWN_OTHERWISE, summaryOf, taskLines } from "../../output/text-printer.js";
import type { Activity } from "./activity.js";
import type { renderMarkdown as renderMarkdownRows } from "./markdown.js";
import { type Block, createMarkdownBlocks } from "./markdown-blocks.js";
import type { Theme } from "./theme.js";
import { resultText } from "./result-text.js";

type RenderMarkdown = typeof renderMarkdownRows;

/** How code begins in Markdown: the highlighter is loaded then. */
const CODE: RegExp = /^\s*(?:```|~~~)/m;

/** Where a turn is shown. */
export interface TurnViewDeps {
  readonly theme: Theme;
  readonly messages: Messages;
  readonly activity: Activity;
  /** `ui.markdown`. */
  readonly markdown: boolean;
  /** Columns of the terminal. */
  readonly columns: () => number;
  /** Prints a finished block. */
  readonly print: (text: string) => void;
  /** The live region has changed. */
  readonly redraw: () => void;
}

/** Shows a turn: finished blocks are printed, the open one is drawn in the live region (TUI-03, 04). */
export interface TurnView {
  readonly printer: Printer;
  /** The open block's rows. */
  rows(width: number): readonly string[];
  /** The last tool's result, whole; `undefined` before the first. */
  lastResult(): string | undefined;
}

/** The view of a session's turns, one after the other. */
export function createTurnView(deps: TurnViewDeps): TurnView {
  const { theme, messages, activity, markdown, print, redraw } = deps;
  const blocks = createMarkdownBlocks();
  const calls = new Map<string, string>();
  let drawn: { readonly text: string; readonly width: number; readonly rows: readonly string[] } | undefined;
  let lastResult: string | undefined;
  let isAfterText = false;
  let renderMarkdown: RenderMarkdown | undefined;

  const render = (text: string, width: number): readonly string[] => renderBlock(text, width, deps, renderMarkdown);
  const block = ({ text, joins }: Block): void => {
    const shown = render(text, deps.columns()).join("\n");
    print(joins ? shown : `\n${shown}`);
    isAfterText = true;
  };
  const endText = (): void => {
    for (const last of blocks.end()) block(last);
  };
  const aside = (text: string): void => {
    endText();
    print(isAfterText ? `\n${text}` : text);
    isAfterText = false;
  };
  const event = (shown: TurnEvent): void => {
    switch (shown.type) {
      case "text":
        activity.received(shown.text);
        if (!shown.thought && !shown.repeat) {
          if (markdown && CODE.test(shown.text)) theme.loadHighlight().then(redraw, () => undefined); // plain, then
          for (const ended of blocks.push(printable(shown.text))) block(ended);
          if (!shown.partial) endText();
        }
        break;
      case "tool_call": {
        if (shown.partial || SHOWN_OTHERWISE.has(shown.name)) break;
        endText();
        const label = `${theme.bold(printable(shown.name))} ${printable(summaryOf(shown.args))}`.trimEnd();
        calls.set(shown.id, label);
        activity.toolStarted(shown.id, label);
        break;
      }
      case "tool_result": {
        const label = calls.get(shown.id);
        activity.toolEnded(shown.id);
        calls.delete(shown.id);
        if (label === undefined) break;
        const { failed, summary, whole } = resultText(shown.result);
        lastResult = `${label}\n${whole}`;
        const mark = failed ? theme.bad("✗") : theme.good("✓");
        aside(`${mark} ${label}${summary === "" ? "" : theme.dim(`  ↳ ${summary}`)}`);
        break;
      }
      case "tasks":
        aside(theme.dim(printable(taskLines(shown.items, messages))));
        break;
      case "notice": {
        const text = printable(messages.t("notice.line", { text: shown.text }));
        aside(shown.error ? theme.bad(text) : theme.dim(text));
        break;
      }
      default:
        return shown satisfies never;
    }
    redraw();
  };
  const printer: Printer = {
    accepted: () => undefined,
    event,
    end: async (end) => {
      endText();
      calls.clear();
      if (isAfterText) print("");
      isAfterText = false;
      if (end.error !== undefined) print(theme.bad(printable(messages.t("error.prefix", { message: end.error }))));
    },
  };
  const load = async (): Promise<Printer> => {
    if (markdown) ({ renderMarkdown } = await import("./markdown.js"));
    return printer;
  };
  return {
    printer: deferPrinter(load),
    rows: (width) => {
      const text = blocks.open();
      if (text.trim() === "") return [];
      if (drawn?.text !== text || drawn.width !== width) drawn = { text, width, rows: render(text, width) };
      return drawn.rows;
    },
    lastResult: () => lastResult,
  };
}

/** A block's rows, none wider than `width`; text as it is where Markdown is off or fails (TUI-03). */
function renderBlock(
  text: string,
  width: number,
  { theme }: TurnViewDeps,
  render: RenderMarkdown | undefined,
): readonly string[] {
  try {
    if (render !== undefined) return render(text, width, theme.markdown);
  } catch {
    // An answer is worth more than its looks.
  }
  return wrapTextWithAnsi(text, width);
}
