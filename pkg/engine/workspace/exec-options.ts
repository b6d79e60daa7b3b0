// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import type { Config } from "@blitz/config";
import type { Environment, ExecOptions } from "../exec/index.js";
import type { Reach } from "./places.js";

/** What the sandbox of commands is made of. */
export interface SandboxFacts extends Reach {
  readonly config: Config;
  readonly workspace: string;
  readonly home: string;
  /** `~/.blitz`. */
  readonly state: string;
  readonly env: Environment;
}

/** How commands run in a workspace: the settings, and what is the same everywhere (SH-21, 66). */
export function execOptions({ config, workspace, home, state, env, ...reach }: SandboxFacts): ExecOptions {
  const { sandbox } = config;
  const temporary = env["TMPDIR"] === undefined ? [] : [env["TMPDIR"]];
  const caches = path.join(home, process.platform === "darwin" ? "Library/Caches" : ".cache");
  return {
    env,
    scrubEnv: sandbox.scrub_env,
    sandbox: {
      mode: sandbox.shell,
      platform: process.platform,
      writableRoots: [workspace, ...reach.writable],
      readOnlyRoots: reach.readOnly,
      extraWritable: ["/tmp", "/var/tmp", ...temporary, caches, ...sandbox.shell_writable_paths],
      protectedDirs: [state],
      blocked: reach.blocked,
      home,
      network: sandbox.allow_network,
    },
  };
}
