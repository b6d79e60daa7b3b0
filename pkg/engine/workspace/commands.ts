// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import type { ShellRules } from "../approvals/index.js";
import type { Environment, Exec, SandboxStatus } from "../exec/index.js";
import type { Files } from "../files/index.js";
import type { CompiledPolicy } from "../policy/index.js";
import type { Tool } from "../tools/call/index.js";
import { type CommandJudgement, shellTools } from "../tools/shell/index.js";
import { execOptions, type SandboxFacts } from "./exec-options.js";

/** What commands need of the workspace. */
export interface CommandsDeps extends SandboxFacts {
  readonly files: Files;
}

/** Commands: the sandbox they run in, and the tool that runs them. */
export interface Commands extends AsyncDisposable {
  /**
   * Loads what running commands takes and probes the sandbox, once. Nothing is loaded and no process
   * started before: a turn's first request must not wait for it.
   *
   * @throws ApiError `SANDBOX_UNAVAILABLE`
   */
  ready(): Promise<SandboxStatus>;
  /** Before `ready`: not active, and unconfined, so that nothing is allowed for a sandbox nobody has seen. */
  status(): SandboxStatus;
  /** The shell tools; `rules` is asked at each command, since rules change while a session runs. */
  tools(rules: () => ShellRules): Tool[];
}

type Judge = (command: string, cwd: string) => CommandJudgement;

interface Opened {
  readonly exec: Exec;
  readonly judgeFor: (rules: () => ShellRules) => Judge;
  readonly gitEnvironment: Environment;
}

/** Prepares commands; see {@link Commands.ready}. */
export function createCommands(deps: CommandsDeps): Commands {
  let opening: Promise<Opened> | undefined;
  let opened: Opened | undefined;
  const open = async (): Promise<Opened> => {
    opening ??= openExec(deps);
    opened = await opening;
    return opened;
  };
  const status = (): SandboxStatus =>
    opened?.exec.status() ?? { mode: deps.config.sandbox.shell, active: false, unconfined: true, lines: [] };
  return {
    status,
    ready: async () => (await open()).exec.status(),
    tools: (rules) => {
      const named = shellTools({
        exec: { status, run: async (request, signal) => await (await open()).exec.run(request, signal) },
        judge: (command, cwd) => required(opened).judgeFor(rules)(command, cwd),
        get gitEnvironment() {
          return required(opened).gitEnvironment;
        },
        workspace: deps.workspace,
        timeoutSeconds: deps.config.tools.shell_timeout_seconds,
        resolveCwd: (cwd) => folderInside(deps.files, cwd),
      });
      return named.map((tool) => ({
        ...tool,
        run: async (args, context) => {
          await open();
          return await tool.run(args, context);
        },
      }));
    },
    [Symbol.asyncDispose]: async () => {
      await opened?.exec[Symbol.asyncDispose]();
    },
  };
}

function required(opened: Opened | undefined): Opened {
  if (opened === undefined) throw new Error("a command was judged before the sandbox was probed");
  return opened;
}

async function folderInside(files: Files, cwd: string): Promise<string> {
  const place = await files.locate(cwd);
  if (!place.ok) throw new Error(place.message);
  if ((await files.stat(place.real))?.isFolder !== true) throw new Error(`${place.display} is not a directory`);
  return place.real;
}

async function openExec(deps: CommandsDeps): Promise<Opened> {
  const { config, workspace, env } = deps;
  const [{ createExec, GIT_READ_ONLY_ENVIRONMENT, isGitGuarded }, { compilePolicy, judgeCommand }] = await Promise.all([
    import("../exec/index.js"),
    import("../policy/index.js"),
  ]);
  const exec = await createExec(execOptions(deps));
  const { active } = exec.status();
  const compile = (rules: ShellRules): CompiledPolicy =>
    compilePolicy({
      allow: config.sandbox.commands.allow,
      deny: config.sandbox.commands.deny,
      autoApprove: config.sandbox.commands.auto_approve,
      rules,
      readOnlyDefaults: config.permissions.read_only_defaults && active,
      gitGuarded: isGitGuarded,
      isSystemProgram: (name) => isSystemProgram(name, env["PATH"] ?? "", [workspace, ...deps.writable]),
      ...(active ? {} : { isBlocked: (word: string) => deps.files.isBlocked(path.resolve(workspace, word)) }),
    });
  return { exec, gitEnvironment: GIT_READ_ONLY_ENVIRONMENT, judgeFor: judgeWith(compile, judgeCommand) };
}

/** Judges by the rules in force; the policy is compiled again only when they change. */
function judgeWith(
  compile: (rules: ShellRules) => CompiledPolicy,
  judge: (command: string, policy: CompiledPolicy, cwd: string) => CommandJudgement,
): Opened["judgeFor"] {
  let compiled: { readonly rules: ShellRules; readonly policy: CompiledPolicy } | undefined;
  return (rules) => (command, cwd) => {
    const current = rules();
    if (compiled?.rules !== current) compiled = { rules: current, policy: compile(current) };
    return judge(command, compiled.policy, cwd);
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
      return !writable.some((root) => [real, file].some((one) => one === root || one.startsWith(`${root}${path.sep}`)));
    } catch {
      // not in this folder: the next one is looked at
    }
  }
  return false;
}
