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
      const located = await deps.files.locateWritable(path);
      if (!located.ok) return errorOf(located);
      return await deps.files.hold([located.display], context.signal, async () => {
        const file = await openForEdit(deps, path);
        if (!file.ok) return errorOf(file);
        if (file.text !== undefined && args["overwrite"] !== true)
          return { error: `${file.place.display} exists; give overwrite, or use replace_in_file` };
        const size = Buffer.byteLength(content);
        const verb = file.text === undefined ? "Create" : "Overwrite";
        const detail = `${verb} ${file.place.display} (${size} bytes)`;
        const { place, format, text: before } = file;
        const done = await applyEdit(
          deps,
          { tool: "create_file", path, place, content: file.content, before, after: content, format, detail },
          context,
        );
        return "error" in done ? done : { path: place.display, success: true, bytes_written: done.bytes };
      });
    },
  };
}
