// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Files } from "../../files/index.js";
import type { Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps, notFolder } from "./edit.js";

/** `list_files`: a folder's entries, dot entries left out (FS-92). */
export function listFilesTool({ files }: FileToolsDeps): Tool {
  return {
    name: "list_files",
    description: "List a folder. Hidden entries are left out.",
    planAllowed: true,
    schema: {
      type: "object",
      properties: { directory: { type: "string" }, recursive: { type: "boolean" }, max_entries: { type: "integer" } },
      additionalProperties: false,
    },
    run: async (args, { signal }) => {
      const place = await files.locate(typeof args["directory"] === "string" ? args["directory"] : ".");
      if (!place.ok) return errorOf(place);
      if ((await files.stat(place.real))?.isFolder !== true) return { error: notFolder(place) };
      const most = Math.min(Math.max(1, typeof args["max_entries"] === "number" ? args["max_entries"] : 200), 500);
      const listed = await list(files, place.real, { recursive: args["recursive"] === true, most, signal });
      return { directory: place.display, ...listed };
    },
  };
}

interface Listing {
  readonly files: readonly { readonly path: string; readonly is_dir: boolean; readonly size_bytes: number }[];
  readonly total_count: number;
  readonly truncated?: true;
}

async function list(
  files: Files,
  folder: string,
  how: { readonly recursive: boolean; readonly most: number; readonly signal: AbortSignal },
): Promise<Listing> {
  const found: Listing["files"][number][] = [];
  let total = 0;
  for await (const entry of files.walk(folder, (one) => how.recursive && !one.name.startsWith("."), how.signal)) {
    if (entry.name.startsWith(".")) continue;
    total++;
    if (found.length >= how.most) continue;
    const size = entry.kind === "file" ? ((await files.stat(entry.real))?.size ?? 0) : 0;
    found.push({ path: files.display(entry.real), is_dir: entry.kind === "folder", size_bytes: size });
  }
  return { files: found, total_count: total, ...(total > found.length ? { truncated: true as const } : {}) };
}
