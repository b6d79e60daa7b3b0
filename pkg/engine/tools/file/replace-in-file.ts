// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { CallContext, Tool } from "../call/index.js";
import { applyEdit, errorOf, type FileToolsDeps, openForEdit, unwritable } from "./edit.js";
import { type Splice, spliced, splicesOf } from "./line-edit.js";

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
    const { place, text, units } = file;
    if (text === undefined) return { error: `${place.display} does not exist` };
    const cant = unwritable(units, replace.target, replace.replacement, place.display);
    if (cant !== undefined) return { error: cant };
    const inUnits = { ...replace, target: units.from(replace.target), replacement: units.from(replace.replacement) };
    const found = occurrences(text, inUnits);
    if ("error" in found) return { error: `${place.display}: ${found.error}` };
    const edit = { tool, path, file, after: spliced(text, found), detail: `Edit ${place.display}` };
    const done = await applyEdit(deps, edit, context);
    return "error" in done ? done : { path: place.display, count: found.length };
  });
}

/** What is replaced, or why nothing is. */
function occurrences(
  text: string,
  { target, replacement, many }: Replace,
): readonly Splice[] | { readonly error: string } {
  const all = splicesOf(text, target, replacement);
  if (all.length === 0)
    return { error: "the text was not found; read the file again, blanks and line ends must match exactly" };
  if (many === false && all.length > 1)
    return { error: `the text occurs ${all.length} times; add lines around it, or give allow_multiple` };
  return many === "first" ? all.slice(0, 1) : all;
}
