// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Changes, isReason } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { withBackend } from "./with-backend.js";

/** What an undo did, and what kept it from doing all, in the interface's words. */
export interface Undone {
  readonly done?: string;
  readonly failed?: string;
}

/** Takes back the latest prompt's changes; a conflict changes nothing (FS-63). */
export async function undoLatest(changes: Changes, force: boolean, { t }: Messages): Promise<Undone> {
  try {
    const { label, restored, error } = await changes.undo(force);
    const done = [t("undo.done", { label }), ...restored.map((path) => t("undo.file", { path }))].join("\n");
    return error === undefined ? { done } : { done, failed: t("undo.partial", { message: error.message }) };
  } catch (error) {
    if (isReason(error, "UNDO_CONFLICT"))
      return { failed: t("undo.conflict", { files: error.metadata["files"] ?? "" }) };
    if (isReason(error, "NOTHING_TO_UNDO")) return { failed: t("undo.nothing") };
    throw error;
  }
}

/** `blitz undo`. */
export async function runUndo(line: Parsed, program: Program): Promise<number> {
  return await withBackend(program, line.has("local"), async (backend, messages) => {
    const { done, failed } = await undoLatest(backend, line.has("force"), messages);
    if (done !== undefined) program.stdout.write(`${printable(done)}\n`);
    if (failed !== undefined) program.stderr.write(`${printable(failed)}\n`);
    return failed === undefined ? EXIT.ok : EXIT.failed;
  });
}
