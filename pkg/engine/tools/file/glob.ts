// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createPauses, sortWithPauses } from "../../files/index.js";
import type { Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps, notFolder } from "./edit.js";
import { compileGlob } from "./glob-pattern.js";

/** `glob`: regular files by pattern, newest first (FS-93). */
export function globTool({ files }: FileToolsDeps): Tool {
  return {
    name: "glob",
    description: "Find files by pattern, e.g. src/**/*.ts, newest first.",
    planAllowed: true,
    schema: {
      type: "object",
      properties: { pattern: { type: "string" }, path: { type: "string" }, max_results: { type: "integer" } },
      required: ["pattern"],
      additionalProperties: false,
    },
    run: async (args, { signal }) => {
      const place = await files.locate(typeof args["path"] === "string" ? args["path"] : ".");
      if (!place.ok) return errorOf(place);
      if ((await files.stat(place.real))?.isFolder !== true) return { error: notFolder(place) };
      const pattern = compileGlob(
        String(args["pattern"]),
        process.platform === "darwin" || process.platform === "win32",
      );
      if (!pattern.ok) return { error: pattern.problem };
      const most = Math.min(Math.max(1, typeof args["max_results"] === "number" ? args["max_results"] : 200), 1_000);
      const start = place.real.endsWith("/") ? place.real.length : place.real.length + 1;
      const timed: { readonly display: string; readonly time: number }[] = [];
      for await (const entry of files.walk(place.real, (one) => pattern.enters(one.name), signal)) {
        if (entry.kind !== "file" || !pattern.matches(entry.real.slice(start).replaceAll("\\", "/"))) continue;
        timed.push({ display: files.display(entry.real), time: (await files.stat(entry.real))?.modifiedMs ?? 0 });
      }
      const newest = await sortWithPauses(
        timed,
        (a, b) => b.time - a.time || (a.display < b.display ? -1 : 1),
        createPauses(signal),
      );
      const shown = newest.slice(0, most).map((one) => one.display);
      return { files: shown, count: shown.length, ...(timed.length > most ? { truncated: true } : {}) };
    },
  };
}
