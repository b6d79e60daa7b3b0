// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Small repositories in scratch folders, for the tests of the checks.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A repository of a few files; disposing removes it. */
export interface FixtureTree extends Disposable {
  readonly root: string;
}

/** Writes files, by path, under a new scratch folder. */
export function plantTree(files: Readonly<Record<string, string>>): FixtureTree {
  const root = mkdtempSync(path.join(tmpdir(), "blitz-tree-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
