// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const MOST_PLANS: number = 1_000;

/**
 * Saves an approved plan as `.blitz/plans/<session>-<n>.md`, the first free number; an existing file is
 * never overwritten (APR-41).
 *
 * @returns its path relative to the workspace
 */
export async function savePlan(workspace: string, session: string, plan: string): Promise<string> {
  const folder = path.join(workspace, ".blitz", "plans");
  await mkdir(folder, { recursive: true });
  const name = session.replace(/[^A-Za-z0-9._-]/g, "-");
  for (let n = 1; n <= MOST_PLANS; n++) {
    const file = path.join(folder, `${name}-${n}.md`);
    try {
      await writeFile(file, `${plan.trimEnd()}\n`, { flag: "wx" });
      return path.relative(workspace, file).replaceAll("\\", "/");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new Error(`${folder} holds ${MOST_PLANS} plans of ${session} already`);
}
