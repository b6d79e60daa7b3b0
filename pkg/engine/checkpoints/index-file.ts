// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename } from "node:fs/promises";
import path from "node:path";
import { writeAtomically } from "../files/index.js";
import { type IndexRecord, parseIndex } from "./record.js";

/** The folder of a workspace's checkpoints; `undefined` when it can't be used, and all stays in memory. */
export async function openFolder(
  dir: string,
  workspace: string,
  failed: (error: unknown) => void,
): Promise<string | undefined> {
  if (dir === "") return undefined;
  const folder = path.join(dir, createHash("sha256").update(workspace).digest("hex").slice(0, 32));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder); // atomic writing wants a path without links
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Reads the index; a damaged one is kept aside as `index.json.damaged` and an empty one used (FS-67). */
export async function loadIndex(folder: string, warn: (text: string) => void): Promise<IndexRecord> {
  const file = path.join(folder, "index.json");
  const empty: IndexRecord = { version: 1, next_id: 1, turns: [] };
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return empty;
    text = "";
  }
  const index = parseIndex(text);
  if (index !== undefined) return index;
  warn(
    "The checkpoints of this folder can't be read; earlier prompts can't be undone. They are kept as index.json.damaged.",
  );
  await rename(file, `${file}.damaged`).catch(() => undefined); // the next save replaces it then
  return empty;
}

/** Writes the index one save at a time: those asked for meanwhile are one. */
export interface IndexSaver {
  /** Settles when what is current now is on disk, or can't be. Never rejects. */
  save(): Promise<void>;
}

/** A saver of what `current` gives; `failed` is told what the disk refused. */
export function createIndexSaver(
  folder: string | undefined,
  current: () => IndexRecord,
  failed: (error: unknown) => void,
): IndexSaver {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    waiting = undefined;
    if (folder === undefined) return;
    try {
      const text = Buffer.from(`${JSON.stringify(current())}\n`, "utf8");
      await writeAtomically(path.join(folder, "index.json"), text, 0o600, false);
    } catch (error) {
      failed(error);
    }
  };
  return {
    save: () => {
      waiting ??= running = running.then(write);
      return waiting;
    },
  };
}
