// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { CallContext, Tool } from "../call/index.js";
import { applyEdit, errorOf, type FileToolsDeps, openForEdit } from "./edit.js";

/** `replace_in_file`: exact text for other text; nothing else of the file changes (FS-95, FS-103). */
export function replaceInFileTool(deps: FileToolsDeps): Tool {
  return {
    name: "replace_in_file",
    description:
      "Replace text in a file. target_content must match exactly and once (add lines around it to make it unique), or give allow_multiple.",
    planAllowed: false,
    schema: {
      type: "object",
      properties: {
        path: { type: "string" },
        target_content: { type: "string" },
        replacement_content: { type: "string" },
        allow_multiple: { type: "boolean" },
      },
      required: ["path", "target_content", "replacement_content"],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const many = args["allow_multiple"] === true;
      const replace = {
        target: String(args["target_content"]),
        replacement: String(args["replacement_content"]),
        many,
      };
      const done = await replaceIn(deps, "replace_in_file", String(args["path"]), replace, context);
      return "count" in done ? { path: done.path, success: true, replacements_count: done.count } : done;
    },
  };
}

/** `delete_snippet`: the first exact occurrence is taken out (FS-95). */
export function deleteSnippetTool(deps: FileToolsDeps): Tool {
  return {
    name: "delete_snippet",
    description: "Delete the first exact occurrence of a text in a file.",
    planAllowed: false,
    schema: {
      type: "object",
      properties: { path: { type: "string" }, snippet: { type: "string" } },
      required: ["path", "snippet"],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const replace = { target: String(args["snippet"]), replacement: "", many: "first" } as const;
      const done = await replaceIn(deps, "delete_snippet", String(args["path"]), replace, context);
      return "count" in done ? { path: done.path, success: true } : done;
    },
  };
}

interface Replace {
  readonly target: string;
  readonly replacement: string;
  readonly many: boolean | "first";
}

async function replaceIn(
  deps: FileToolsDeps,
  tool: string,
  path: string,
  replace: Replace,
  context: CallContext,
): Promise<{ readonly path: string; readonly count: number } | JsonObject> {
  if (replace.target === "") return { error: "the text to find is empty" };
  const located = await deps.files.locateWritable(path);
  if (!located.ok) return errorOf(located);
  return await deps.files.hold([located.display], context.signal, async () => {
    const file = await openForEdit(deps, path);
    if (!file.ok) return errorOf(file);
    const { place, format, text: before } = file;
    if (before === undefined) return { error: `${place.display} does not exist` };
    const found = occurrences(before, replace);
    if ("error" in found) return { error: `${place.display}: ${found.error}` };
    const after = spliced(before, found.at, found.target.length, found.replacement);
    const detail = `Edit ${place.display}`;
    const done = await applyEdit(
      deps,
      { tool, path, place, content: file.content, before, after, format, detail },
      context,
    );
    return "error" in done ? done : { path: place.display, count: found.at.length };
  });
}

interface Found {
  readonly at: readonly number[];
  readonly target: string;
  readonly replacement: string;
}

/** Where the target stands; in a CRLF file it may be given with LF, and the replacement gets the file's line ends. */
function occurrences(text: string, { target, replacement, many }: Replace): Found | { readonly error: string } {
  for (const [wanted, put] of [
    [target, replacement],
    [crlf(target), crlf(replacement)],
  ] as const) {
    const all = positions(text, wanted);
    if (all.length === 0) continue;
    if (many === false && all.length > 1)
      return { error: `the text occurs ${all.length} times; add lines around it, or give allow_multiple` };
    const endings = wanted === target && usesCrlf(text) && !target.includes("\n") ? crlf(replacement) : put;
    return { at: many === "first" ? all.slice(0, 1) : all, target: wanted, replacement: endings };
  }
  return { error: "the text was not found; read the file again, blanks and line ends must match exactly" };
}

function crlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/** Whether every line of the file ends in CRLF. */
function usesCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
}

function positions(text: string, target: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + target.length)) found.push(at);
  return found;
}

/** Replacement text is literal: no `$` patterns (T-EDIT-1). */
function spliced(text: string, at: readonly number[], length: number, replacement: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const position of at) {
    pieces.push(text.slice(from, position), replacement);
    from = position + length;
  }
  return pieces.join("") + text.slice(from);
}
