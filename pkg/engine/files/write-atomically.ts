// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomBytes } from "node:crypto";
import { chmod, link, lstat, mkdir, open, realpath, rename, symlink, unlink } from "node:fs/promises";
import path from "node:path";

/** Permission bits of new files, whatever the umask. */
export const NEW_MODE: number = 0o644;

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
  const make = async (made: string): Promise<void> => {
    {
      await using file = await open(made, "wx", 0o600);
      await file.writeFile(bytes);
      await file.sync();
    }
    await chmod(made, mode ?? NEW_MODE);
  };
  await putInPlace(real, make, exclusive);
}

/** Makes a symbolic link, in place of whatever file or link is there; otherwise like {@link writeAtomically}. */
export async function linkAtomically(real: string, target: string): Promise<void> {
  await putInPlace(real, async (made) => await symlink(target, made), false);
}

async function putInPlace(real: string, make: (made: string) => Promise<void>, exclusive: boolean): Promise<void> {
  const parent = path.dirname(real);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const made = path.join(parent, `.${path.basename(real).slice(0, 100)}.tmp-${randomBytes(6).toString("hex")}`);
  try {
    await make(made);
    if ((await realpath(parent)) !== parent)
      throw Object.assign(new Error("the folder was replaced meanwhile"), { code: "ESTALE" });
    await (exclusive ? moveWhereNothingIs(made, real) : rename(made, real));
  } catch (error) {
    await unlink(made).catch(() => undefined); // it may never have been made
    throw error;
  }
}

/** A link is made only where nothing is, which a rename can't promise. Some file systems have no links. */
async function moveWhereNothingIs(made: string, real: string): Promise<void> {
  try {
    await link(made, real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || (await exists(real)))
      throw Object.assign(new Error("it exists already"), { code: "EEXIST" });
    await rename(made, real);
    return;
  }
  await unlink(made).catch(() => undefined); // the file is in place; a spare name of it does no harm
}

async function exists(real: string): Promise<boolean> {
  return await lstat(real).then(
    () => true,
    () => false,
  );
}
