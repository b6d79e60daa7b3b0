// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stat } from "node:fs/promises";
import { type Finding, good, warning } from "./finding.js";

/** A file or folder that is its owner's alone (SET-50); open ones are warned of with the chmod that mends them. */
export async function checkPrivate(file: string, whenMissing: Finding): Promise<Finding> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return whenMissing;
  const isOpen = process.platform !== "win32" && (found.mode & 0o077) !== 0;
  return isOpen ? warning(`${file} is open to others: chmod ${found.isDirectory() ? 700 : 600} '${file}'`) : good(file);
}
