// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import path from "node:path";

/**
 * Replaces or makes a file as a whole (FS-20): written beside it, flushed, given its mode, renamed. The
 * original is intact and nothing is left behind when any step fails.
 *
 * @param real - where it really is; the parent must still be that folder right before the rename (FS-90)
 * @param mode - of the file there is; a new one gets 0644 whatever the umask
 * @param exclusive - fail when it exists (FS-21)
 */
export async function writeAtomically(
  real: string,
  bytes: Buffer,
  mode: number | undefined,
  exclusive: boolean,
): Promise<void> {
  const parent = path.dirname(real);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const made = path.join(parent, `.${path.basename(real).slice(0, 100)}.tmp-${randomBytes(6).toString("hex")}`);
  try {
    {
      await using file = await open(made, "wx", 0o600);
      await file.writeFile(bytes);
      await file.sync();
    }
    await chmod(made, mode ?? 0o644);
    if ((await realpath(parent)) !== parent)
      throw Object.assign(new Error("the folder was replaced meanwhile"), { code: "ESTALE" });
    if (exclusive && (await exists(real))) throw Object.assign(new Error("it exists already"), { code: "EEXIST" });
    await rename(made, real);
  } catch (error) {
    await unlink(made).catch(() => undefined); // it may never have been made
    throw error;
  }
}

async function exists(real: string): Promise<boolean> {
  return await lstat(real).then(
    () => true,
    () => false,
  );
}
