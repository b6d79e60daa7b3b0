// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { decodeText } from "../../files/index.js";
import type { Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps } from "./edit.js";

const MOST_OUTPUT: number = 512 * 1024;

/** `read_file`: numbered lines, all or a range (FS-91). */
export function readFileTool({ files }: FileToolsDeps): Tool {
  return {
    name: "read_file",
    description: "Read a text file, lines numbered. Give start_line and end_line for part of a large one.",
    planAllowed: true,
    schema: {
      type: "object",
      properties: { path: { type: "string" }, start_line: { type: "integer" }, end_line: { type: "integer" } },
      required: ["path"],
      additionalProperties: false,
    },
    run: async (args) => {
      const content = await files.read(String(args["path"]));
      if (!content.ok) return errorOf(content);
      if (content.bytes.subarray(0, 8_000).includes(0) && !decodeText(content.bytes, "").ok) {
        return { path: content.display, error: `${content.display} is a binary file of ${content.bytes.length} bytes` };
      }
      const decoded = decodeText(content.bytes, content.display);
      const text = decoded.ok ? decoded.text : content.bytes.toString("utf8");
      const shown = numbered(text, asNumber(args["start_line"]), asNumber(args["end_line"]));
      const note = !decoded.ok
        ? "bytes that aren't UTF-8 are shown as U+FFFD"
        : decoded.format.encoding === "utf8"
          ? undefined
          : "the file is UTF-16; edits keep it so";
      return {
        path: content.display,
        ...shown,
        ...(note === undefined || "note" in shown ? {} : { note }),
      };
    },
  };
}

function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The lines asked for as `%4d: text`; a range past the end shows the last line. */
function numbered(text: string, start: number | undefined, end: number | undefined): JsonObject {
  const lines = text.split("\n");
  const first = Math.min(Math.max(1, start ?? 1), lines.length);
  const last = Math.min(Math.max(first, end ?? lines.length), lines.length);
  const out: string[] = [];
  let size = 0;
  for (let at = first; at <= last; at++) {
    const line = `${String(at).padStart(4)}: ${(lines[at - 1] ?? "").replace(/\r$/, "")}`;
    size += Buffer.byteLength(line) + 1;
    if (size > MOST_OUTPUT) return cut(out, line, lines.length, at);
    out.push(line);
  }
  return { content: out.join("\n"), total_lines: lines.length };
}

function cut(out: readonly string[], line: string, total: number, at: number): JsonObject {
  const content =
    out.length > 0
      ? out.join("\n")
      : Buffer.from(line)
          .subarray(0, MOST_OUTPUT - 4)
          .toString("utf8")
          .replace(/\ufffd+$/, "");
  return {
    content,
    total_lines: total,
    truncated: true,
    note: `cut at 512 KiB; go on with start_line ${out.length > 0 ? at : at + 1}`,
  };
}
