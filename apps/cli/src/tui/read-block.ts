// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LineKeys, Prompt, Surface } from "./surface.js";

const FENCE: string = '"""';
/** Stands where the prompt does on the further lines of a block. */
const MORE: Prompt = { text: "…" };

/**
 * One entry: a line, lines joined by a trailing `\`, or the block between two lines of `"""` (TUI-12).
 * Input that ends inside a block gives what there is; `undefined` when there is nothing.
 */
export async function readBlock(surface: Surface, prompt: Prompt, keys?: LineKeys): Promise<string | undefined> {
  const first = await surface.line(prompt, keys);
  if (first === undefined) return undefined;
  if (first.trim() === FENCE) return ` ${await fenced(surface)}`; // a block is text, whatever it begins with
  const lines = [first];
  while (lines.at(-1)?.endsWith("\\") === true) {
    lines.push((lines.pop() ?? "").slice(0, -1));
    const next = await surface.line(MORE);
    if (next === undefined) break;
    lines.push(next);
  }
  return lines.join("\n");
}

async function fenced(surface: Surface): Promise<string> {
  const lines: string[] = [];
  for (let line = await surface.line(MORE); line !== undefined && line.trim() !== FENCE; ) {
    lines.push(line);
    line = await surface.line(MORE);
  }
  return lines.join("\n");
}
