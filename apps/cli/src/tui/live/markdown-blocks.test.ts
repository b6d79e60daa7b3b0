// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMarkdownBlocks } from "./markdown-blocks.js";

/** The blocks of a text that comes in pieces. */
function blocksOf(...pieces: readonly string[]): readonly string[] {
  const blocks = createMarkdownBlocks();
  return [...pieces.flatMap((piece) => blocks.push(piece)), ...blocks.end()].map(({ text }) => text);
}

describe("blocks of streamed Markdown (TUI-03)", () => {
  it.each([
    ["paragraphs", "One\nmore.\n\nTwo.\n", ["One\nmore.", "Two."]],
    ["a loose list with nested items is one block", "- a\n\n- b\n\n  - c\n\ntext", ["- a\n\n- b\n\n  - c", "text"]],
    ["a numbered list goes on after a blank line", "1. a\n\n2. b\n", ["1. a\n\n2. b"]],
    ["blank lines in a fence end nothing", "```js\na\n\nb\n```\nafter\n", ["```js\na\n\nb\n```", "after"]],
    [
      "a fence in a list belongs to it",
      "1. do:\n   ```sh\n   a\n\n   b\n   ```\n2. then\n",
      ["1. do:\n   ```sh\n   a\n\n   b\n   ```\n2. then"],
    ],
    ["a longer fence holds a shorter one", "````\n```\nx\n```\n````\ny", ["````\n```\nx\n```\n````", "y"]],
    ["a table", "| a |\n|---|\n| 1 |\n\nend", ["| a |\n|---|\n| 1 |", "end"]],
    ["an open fence at the end is kept", "```\nhalf", ["```\nhalf"]],
    ["carriage returns", "a\r\n\r\nb\r\n", ["a", "b"]],
    ["nothing", "\n\n", []],
  ])("%s", (_name, text, expected) => {
    expect(blocksOf(text)).toEqual(expected);
  });

  it("are the same however the text is cut", () => {
    const text = fc.stringMatching(/^(?:[a-c]|\n|- |```|1\. | {2}){0,60}$/);
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        expect(blocksOf(...pieces)).toEqual(blocksOf(whole));
      }),
    );
  });

  it("lose no word", () => {
    const line = fc.constantFrom("word one", "- item", "```js", "```", "", "  indented", "1. first", "> quote");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
        const words = (text: string): readonly string[] => text.match(/[a-z]{3,}/g) ?? [];
        const text = lines.join("\n");
        expect(words(blocksOf(text).join("\n").replaceAll(/```js/g, ""))).toEqual(words(text.replaceAll(/```js/g, "")));
      }),
    );
  });

  it("cut a long fence between lines, and say that the parts belong together", () => {
    const blocks = createMarkdownBlocks();
    const code = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const parts = [...blocks.push(`\`\`\`py\n${code.join("\n")}\n\`\`\`\n`), ...blocks.end()];
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ joins }) => joins)).toEqual([false, ...parts.slice(1).map(() => true)]);
    for (const { text } of parts) expect(text).toMatch(/^```py\n[^]*\n```$/);
    expect(parts.flatMap(({ text }) => text.split("\n").slice(1, -1))).toEqual(code);
  });
});
