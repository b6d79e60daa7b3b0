// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Tool } from "../call/index.js";
import { applyPatchTool } from "./apply-patch.js";
import { createFileTool } from "./create-file.js";
import { deleteFileTool } from "./delete-file.js";
import type { FileToolsDeps } from "./edit.js";
import { globTool } from "./glob.js";
import { grepTool } from "./grep.js";
import { listFilesTool } from "./list-files.js";
import { readFileTool } from "./read-file.js";
import { deleteSnippetTool, replaceInFileTool } from "./replace-in-file.js";

/** All file tools over one file sandbox. */
export function fileTools(deps: FileToolsDeps): Tool[] {
  return [
    readFileTool,
    listFilesTool,
    globTool,
    grepTool,
    createFileTool,
    replaceInFileTool,
    deleteSnippetTool,
    deleteFileTool,
    applyPatchTool,
  ].map((make) => make(deps));
}
