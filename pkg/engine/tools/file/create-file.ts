// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Tool } from "../call/index.js";
import { applyEdit, errorOf, type FileToolsDeps, openForEdit } from "./edit.js";

/** `create_file`: a new file, or with `overwrite` a whole new content (FS-95). */
export function createFileTool(deps: FileToolsDeps): Tool {
  return {
    name: "create_file",
    description:
      "Create a file with this content. An existing one needs overwrite; to change part of it use replace_in_file.",
    planAllowed: false,
    schema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" }, overwrite: { type: "boolean" } },
      required: ["path", "content"],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const path = String(args["path"]);
      const content = String(args["content"]);
      if (!content.isWellFormed()) return { error: "the content holds half a character and can't be written" };
      const located = await deps.files.locateWritable(path);
      if (!located.ok) return errorOf(located);
      return await deps.files.hold([located.display], context.signal, async () => {
        const file = await openForEdit(deps, path);
        if (!file.ok) return errorOf(file);
        if (file.text !== undefined && args["overwrite"] !== true)
          return { error: `${file.place.display} exists; give overwrite, or use replace_in_file` };
        const { place, units } = file;
        const verb = file.text === undefined ? "Create" : "Overwrite";
        const lost = units.bytewise ? ", replacing what isn't text" : "";
        const detail = `${verb} ${place.display} (${Buffer.byteLength(content)} bytes${lost})`;
        // What is there isn't text, so the new content is plain UTF-8: its bytes, unit by unit.
        const after = units.from(content);
        const done = await applyEdit(deps, { tool: "create_file", path, file, after, detail }, context);
        return "error" in done ? done : { path: place.display, success: true, bytes_written: done.bytes };
      });
    },
  };
}
