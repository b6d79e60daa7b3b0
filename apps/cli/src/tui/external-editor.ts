// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { once } from "node:events";
import type { Program } from "../program.js";

/**
 * Lets the person write `text` in their editor: `$VISUAL`, else `$EDITOR`, through `/bin/sh` so that it may
 * carry arguments (TUI-13). The terminal must be theirs meanwhile.
 *
 * @returns what was saved, without the last line break; `undefined` when no editor is set
 * @throws Error when the editor fails
 */
export async function editOutside(text: string, program: Pick<Program, "env" | "dir">): Promise<string | undefined> {
  const { env, dir } = program;
  const editor = [env["VISUAL"], env["EDITOR"]].find((one) => one !== undefined && one !== "");
  if (editor === undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), "blitz-edit-"));
  try {
    const file = path.join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600 });
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { cwd: dir, env, stdio: "inherit" });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`${editor}: exit code ${code ?? "none"}`);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
