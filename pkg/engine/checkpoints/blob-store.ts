// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, unlink } from "node:fs/promises";
import path from "node:path";
import { writeAtomically } from "../files/index.js";

/** Contents by their SHA-256. Owner-only files, or memory when there is no folder. */
export interface BlobStore {
  /** Keeps a content; one kept already costs nothing. Never rejects: what the disk refuses is held in memory. */
  put(hash: string, bytes: Buffer): Promise<void>;
  /** The content, or `undefined` when it is gone or isn't what was kept. */
  get(hash: string): Promise<Buffer | undefined>;
  /** Forgets every content that isn't needed; asked when it is this call's turn. */
  keepOnly(needed: () => ReadonlySet<string>): Promise<void>;
}

/** The name of a content. */
export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Opens the blobs of a folder.
 *
 * @param dir - `undefined` = memory only
 * @param failed - told what the disk refused
 */
export async function openBlobs(dir: string | undefined, failed: (error: unknown) => void): Promise<BlobStore> {
  const memory = new Map<string, Buffer>();
  const onDisk = new Set<string>();
  if (dir !== undefined) {
    try {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      for (const name of await readdir(dir)) onDisk.add(name);
    } catch (error) {
      failed(error);
    }
  }
  let last: Promise<void> = Promise.resolve();
  /** Keeping and forgetting take turns, else a content could be removed right after it was found to be there. */
  const inTurn = (work: () => Promise<void>): Promise<void> => (last = last.then(work));
  return {
    put: (hash, bytes) =>
      inTurn(async () => {
        if (onDisk.has(hash) || memory.has(hash)) return;
        try {
          if (dir === undefined) memory.set(hash, bytes);
          else {
            await writeAtomically(path.join(dir, hash), bytes, 0o600, false);
            onDisk.add(hash);
          }
        } catch (error) {
          memory.set(hash, bytes);
          failed(error);
        }
      }),
    get: async (hash) => {
      const kept = memory.get(hash);
      if (kept !== undefined) return kept;
      if (dir === undefined || !onDisk.has(hash)) return undefined;
      const bytes = await readFile(path.join(dir, hash)).catch(() => undefined); // gone: told by the result
      return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
    },
    keepOnly: (needed) =>
      inTurn(async () => {
        const wanted = needed();
        for (const hash of memory.keys()) if (!wanted.has(hash)) memory.delete(hash);
        if (dir === undefined) return;
        for (const name of [...onDisk]) {
          if (wanted.has(name)) continue;
          await unlink(path.join(dir, name)).catch(() => undefined); // gone already, or tried again at the next open
          onDisk.delete(name);
        }
      }),
  };
}
