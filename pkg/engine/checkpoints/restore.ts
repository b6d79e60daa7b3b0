// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { lstat, readFile, realpath, unlink } from "node:fs/promises";
import path from "node:path";
import { type ApiError, apiError } from "@blitz/api";
import { linkAtomically, writeAtomically } from "../files/index.js";
import { type BlobStore, hashOf } from "./blob-store.js";
import type { ChangeRecord } from "./record.js";

/** How far a restore came. */
export interface Restored {
  /** Sorted display paths of what is back as it was. */
  readonly restored: readonly string[];
  /** What stays to be restored, by real path: where it stopped part-way. What can't come back isn't kept on record. */
  readonly left: ReadonlySet<string>;
  readonly error?: ApiError;
}

/**
 * Puts files back to their state before a change. All are checked first: one that isn't as the tools
 * left it, or whose content wasn't kept, is a conflict and nothing is touched (FS-63). With `force`
 * changed files are restored too; what can't be restored is left alone and named.
 *
 * @throws ApiError `UNDO_CONFLICT`
 */
export async function restore(
  blobs: Pick<BlobStore, "get">,
  changes: readonly ChangeRecord[],
  force: boolean,
): Promise<Restored> {
  const conflicts: string[] = [];
  const unkept: ChangeRecord[] = [];
  for (const change of changes) {
    const kept = await isKept(blobs, change);
    if (!kept) unkept.push(change);
    if (!kept || !(await isAsLeft(change))) conflicts.push(change.display);
  }
  if (conflicts.length > 0 && !force) throw conflict(conflicts.sort());
  const restored: string[] = [];
  const left = new Set(changes.map((change) => change.abs));
  for (const change of changes) {
    if (unkept.includes(change)) continue;
    try {
      await putBack(blobs, change);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const error = apiError("INTERNAL", `${change.display} could not be restored: ${why}`, {}, cause);
      return { restored: restored.sort(), left, error };
    }
    left.delete(change.abs);
    restored.push(change.display);
  }
  if (unkept.length === 0) return { restored: restored.sort(), left };
  // Named below, so they needn't stay: a turn that can never be emptied would keep earlier ones from being undone.
  for (const { abs } of unkept) left.delete(abs);
  const files = unkept.map((change) => change.display).sort();
  const error = apiError("UNDO_CONFLICT", `not restored, the content before was not kept: ${files.join(", ")}`, {
    files: files.join("\n"),
  });
  return { restored: restored.sort(), left, error };
}

function conflict(files: readonly string[]): ApiError {
  return apiError(
    "UNDO_CONFLICT",
    `changed since, or not kept, so nothing was undone: ${files.join(", ")}. With --force what is kept is restored anyway.`,
    { files: files.join("\n") },
  );
}

async function isKept(blobs: Pick<BlobStore, "get">, { before }: ChangeRecord): Promise<boolean> {
  if (!before.exists) return true;
  if (before.too_large === true || before.hash === undefined) return false;
  return (await blobs.get(before.hash)) !== undefined;
}

/** Whether a file still is what the tool left. */
async function isAsLeft({ abs, after_exists, after_hash }: ChangeRecord): Promise<boolean> {
  const now = await stateOf(abs);
  if (now === undefined) return !after_exists;
  return now !== "other" && after_exists && hashOf(now) === after_hash;
}

/** The bytes of a regular file; `undefined` when nothing is there, `"other"` for anything else there. */
export async function stateOf(abs: string): Promise<Buffer | "other" | undefined> {
  try {
    const found = await lstat(abs);
    if (!found.isFile() || (await realpath(abs)) !== abs) return "other";
    return await readFile(abs);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "other";
  }
}

async function putBack(blobs: Pick<BlobStore, "get">, { abs, before }: ChangeRecord): Promise<void> {
  if (before.exists) {
    const bytes = before.hash === undefined ? undefined : await blobs.get(before.hash);
    if (bytes === undefined) throw new Error("the content before was not kept");
    if (before.link === true) await linkAtomically(abs, bytes.toString("utf8"));
    else await writeAtomically(abs, bytes, before.mode, false);
    return;
  }
  const parent = path.dirname(abs);
  // A folder swapped for a link would have something else removed than what the tool made.
  const real = await realpath(parent).catch(() => undefined); // the folder is gone, and the file with it
  if (real === undefined) return;
  if (real !== parent) throw new Error("its folder is now a link");
  await unlink(abs).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
