// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import type { Parsed } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { withBackend } from "./with-backend.js";

/** `blitz undo`: takes back the latest prompt's changes; a conflict changes nothing (FS-63). */
export async function runUndo(line: Parsed, program: Program): Promise<number> {
  return await withBackend(program, line.has("local"), async (backend, { t }) => {
    try {
      const done = await backend.undo(line.has("force"));
      const files = done.restored.map((path) => t("undo.file", { path }));
      program.stdout.write(`${printable([t("undo.done", { label: done.label }), ...files].join("\n"))}\n`);
      if (done.error === undefined) return EXIT.ok;
      program.stderr.write(`${printable(t("undo.partial", { message: done.error.message }))}\n`);
      return EXIT.failed;
    } catch (error) {
      if (!isReason(error, "UNDO_CONFLICT", "NOTHING_TO_UNDO")) throw error;
      const text = isReason(error, "UNDO_CONFLICT")
        ? t("undo.conflict", { files: error.metadata["files"] ?? "" })
        : t("undo.nothing");
      program.stderr.write(`${printable(text)}\n`);
      return EXIT.failed;
    }
  });
}
