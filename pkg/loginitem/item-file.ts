// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { LoginItemError } from "./login-item-error.js";

/** Whether the item's file is there. */
export async function hasFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (info) => info.isFile(),
    () => false,
  );
}

/** @throws LoginItemError `not-installed` when the item's file isn't there */
export async function expectFile(file: string): Promise<void> {
  if (!(await hasFile(file))) throw new LoginItemError("not-installed", `the service isn't installed: no ${file}`);
}

/** Writes the item's file whole or not at all, readable by all as the system expects; it holds no secrets. */
export async function saveFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await onDisk(`can't write ${file}`, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    await using cleaning = new AsyncDisposableStack();
    cleaning.defer(() => rm(draft, { force: true })); // it has another name when all went well
    await writeNew(draft, text);
    await rename(draft, file);
  });
}

async function writeNew(file: string, text: string): Promise<void> {
  await using handle = await open(file, "wx", 0o644);
  await handle.chmod(0o644); // whatever the umask
  await handle.writeFile(text);
  await handle.sync();
}

/** Runs a step on the disk; what it fails with becomes a LoginItemError. */
export async function onDisk(what: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw new LoginItemError("failed", `${what}: ${String(error)}`, error);
  }
}
