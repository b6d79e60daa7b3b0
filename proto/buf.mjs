// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The pinned buf on any arguments: `node proto/buf.mjs lint proto`. Nothing of the developer's is read
// or left behind: its cache and settings are a folder that is thrown away.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);

/** npm's names for processors that Node calls otherwise. */
const PROCESSORS = { "linux-arm64": "linux-aarch64", "linux-arm": "linux-armv7" };

/** buf's own binary: its launcher script would only start it in another process. */
function bufBinary() {
  const host = `${process.platform}-${process.arch}`;
  const launcher = require.resolve("@bufbuild/buf/package.json");
  return createRequire(launcher).resolve(
    `@bufbuild/buf-${PROCESSORS[host] ?? host}/bin/buf${process.platform === "win32" ? ".exe" : ""}`,
  );
}

/**
 * Runs buf with this terminal and gives its exit code.
 *
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
export function runBuf(args, cwd) {
  const scratch = mkdtempSync(path.join(tmpdir(), "blitz-buf-"));
  try {
    const done = spawnSync(bufBinary(), args, {
      cwd,
      stdio: "inherit",
      env: { ...process.env, BUF_CACHE_DIR: scratch, BUF_CONFIG_DIR: scratch },
    });
    if (done.error) throw done.error;
    return done.status ?? 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = runBuf(process.argv.slice(2));
