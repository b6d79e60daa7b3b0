// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import type { Config } from "@blitz/config";
import type { ShellRules } from "../approvals/index.js";
import { createExec, type Environment, type Exec, type SandboxStatus } from "../exec/index.js";
import type { Files } from "../files/index.js";
import { type CompiledPolicy, compilePolicy, judgeCommand } from "../policy/index.js";
import type { Tool } from "../tools/call/index.js";
import { shellTools } from "../tools/shell/index.js";

/** What commands need of the workspace. */
export interface CommandsDeps {
  readonly config: Config;
  readonly workspace: string;
  readonly home: string;
  /** `~/.blitz`. */
  readonly state: string;
  readonly env: Environment;
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly blocked: readonly string[];
  readonly files: Files;
}

/** Commands: the sandbox they run in, and the tool that runs them. */
export interface Commands extends AsyncDisposable {
  readonly status: () => SandboxStatus;
  /** The shell tools; `rules` is asked at each command, since rules change while a session runs. */
  tools(rules: () => ShellRules): Tool[];
}

/** Opens the room that runs commands, with the sandbox the settings ask for (07). */
export async function openCommands(deps: CommandsDeps): Promise<Commands> {
  const { config, workspace, home, state, env } = deps;
  const exec = await createExec({
    env,
    scrubEnv: config.sandbox.scrub_env,
    sandbox: {
      mode: config.sandbox.shell,
      platform: process.platform,
      writableRoots: [workspace, ...deps.writable],
      readOnlyRoots: deps.readOnly,
      extraWritable: [
        "/tmp",
        "/var/tmp",
        ...(env["TMPDIR"] === undefined ? [] : [env["TMPDIR"]]),
        ...config.sandbox.shell_writable_paths,
      ],
      protectedDirs: [state],
      blocked: deps.blocked,
      home,
      network: config.sandbox.allow_network,
    },
  });
  return {
    status: () => exec.status(),
    tools: (rules) => {
      const policy = policyFor(deps, exec, rules);
      return shellTools({
        exec,
        judge: (command) => judgeCommand(command, policy()),
        workspace,
        timeoutSeconds: config.tools.shell_timeout_seconds,
        resolveCwd: async (cwd) => {
          const place = await deps.files.locate(cwd);
          if (!place.ok) throw new Error(place.message);
          if ((await deps.files.stat(place.real))?.isFolder !== true)
            throw new Error(`${place.display} is not a directory`);
          return place.real;
        },
      });
    },
    [Symbol.asyncDispose]: () => exec[Symbol.asyncDispose](),
  };
}

/** The policy for the rules in force; compiled again only when they change. */
function policyFor(deps: CommandsDeps, exec: Exec, rules: () => ShellRules): () => CompiledPolicy {
  const { config, workspace, env } = deps;
  let compiled: CompiledPolicy | undefined;
  let compiledFor: ShellRules | undefined;
  return () => {
    const current = rules();
    if (compiled === undefined || compiledFor !== current) {
      const { active } = exec.status();
      compiledFor = current;
      compiled = compilePolicy({
        allow: config.sandbox.commands.allow,
        deny: config.sandbox.commands.deny,
        autoApprove: config.sandbox.commands.auto_approve,
        rules: current,
        readOnlyDefaults: config.permissions.read_only_defaults && active,
        gitGuarded: false,
        isSystemProgram: (name) => isSystemProgram(name, env["PATH"] ?? "", [workspace, ...deps.writable]),
        ...(active ? {} : { isBlocked: (word: string) => deps.files.isBlocked(path.resolve(workspace, word)) }),
      });
    }
    return compiled;
  };
}

/** Whether a bare name is a program on PATH outside every folder the agent can write (SH-11). */
function isSystemProgram(name: string, searchPath: string, writable: readonly string[]): boolean {
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) return false; // a relative entry is searched before the rest of PATH
    try {
      const file = path.join(folder, name);
      accessSync(file, constants.X_OK);
      const real = realpathSync(file);
      return !writable.some(
        (root) => real === root || real.startsWith(`${root}${path.sep}`) || file.startsWith(`${root}${path.sep}`),
      );
    } catch {
      // not in this folder: the next one is looked at
    }
  }
  return false;
}
