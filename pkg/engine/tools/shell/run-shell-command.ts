// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { Environment, Exec } from "../../exec/index.js";
import type { AskedAction, CallContext, Tool } from "../call/index.js";
import { createTurnQueue, type TurnQueue } from "./turn-queue.js";

/** What the command policy says; `policy`'s judgement is one. */
export interface CommandJudgement {
  readonly verdict: "deny" | "needs_approval" | "auto_approve";
  readonly reason: string;
  readonly mustAsk: boolean;
  /** Allowed only because git's guard is in its environment (APR-58). */
  readonly readOnlyGit?: true;
}

/** What the shell tools need. */
export interface ShellToolDeps {
  readonly exec: Pick<Exec, "run" | "status">;
  /** `cwd` is absolute. */
  readonly judge: (command: string, cwd: string) => CommandJudgement;
  /** Absolute path: where commands start, and what remembered answers hold for. */
  readonly workspace: string;
  /** The existing directory inside the roots that a `cwd` names, as an absolute path; rejects with why not. */
  readonly resolveCwd: (cwd: string) => Promise<string>;
  /** `tools.shell_timeout_seconds`. */
  readonly timeoutSeconds: number;
  /** Added to the environment of commands the policy allows as read-only git (APR-58). */
  readonly gitEnvironment?: Environment;
  /** Checkpoints around a command (SH-70): before it starts, and when its group has ended. */
  readonly beforeCommand?: (turnId: string, command: string) => Promise<void>;
  readonly afterCommand?: (turnId: string, command: string) => Promise<void>;
}

const MAX_TIMEOUT_SECONDS = 1_800;

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    command: { type: "string", description: "Bash script" },
    cwd: { type: "string", description: "Directory to run in; default: the workspace" },
    timeout_seconds: { type: "number", description: `At most ${MAX_TIMEOUT_SECONDS}` },
  },
  required: ["command"],
  additionalProperties: false,
};

/** `run_shell_command` (07 §1). */
export function runShellCommand(deps: ShellToolDeps): Tool {
  const queue = createTurnQueue();
  return {
    name: "run_shell_command",
    description:
      `Runs a command with bash -c, without input or a terminal, and returns its output (100 KiB at most) and exit code. ` +
      `It and all it started are killed after ${deps.timeoutSeconds} s unless timeout_seconds says otherwise. ` +
      "Use the file tools to read, search and edit files.",
    schema: SCHEMA,
    planAllowed: false,
    run: (args, context) => runCommand(deps, queue, args, context),
  };
}

async function runCommand(
  deps: ShellToolDeps,
  queue: TurnQueue,
  args: JsonObject,
  context: CallContext,
): Promise<JsonObject> {
  const command = typeof args["command"] === "string" ? args["command"] : "";
  if (command.trim() === "") return { error: "the command is empty" };
  const named = typeof args["cwd"] === "string" && args["cwd"] !== "" ? args["cwd"] : undefined;
  const cwd = named === undefined ? { dir: deps.workspace } : await directoryOf(deps, named);
  if ("error" in cwd) return cwd;
  const judgement = deps.judge(command, cwd.dir);
  if (judgement.verdict === "deny") return { error: `blocked by command policy: ${judgement.reason}` };
  const decision = await context.approve(requestFor(deps, command, named, judgement));
  if (!decision.allowed) return { error: decision.why };

  const timeoutMs = timeoutSeconds(args["timeout_seconds"], deps.timeoutSeconds) * 1_000;
  const env = judgement.readOnlyGit === true ? { env: deps.gitEnvironment ?? {} } : {};
  const request = { grant: decision.grant, command, cwd: cwd.dir, timeoutMs, ...env };
  return await queue.run(context.turnId, async () => {
    // A command before this one may have changed what made it harmless.
    if (judgement.readOnlyGit === true && deps.judge(command, cwd.dir).readOnlyGit !== true) {
      return { error: "the repository's configuration changed meanwhile; run the command again" };
    }
    await deps.beforeCommand?.(context.turnId, command);
    const result = await deps.exec.run(request, context.signal);
    await noteEnd(deps, command, context);
    return {
      output: result.output,
      exit_code: result.exitCode,
      duration_ms: result.durationMs,
      is_background: false,
      ...(result.truncated ? { truncated: true } : {}),
      ...(result.error === undefined ? {} : { error: result.error }),
    };
  });
}

async function directoryOf(deps: ShellToolDeps, cwd: string): Promise<{ dir: string } | { error: string }> {
  try {
    return { dir: await deps.resolveCwd(cwd) };
  } catch (error) {
    return { error: `the directory ${cwd} can't be used: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** SH-02; unconfined commands have no key, so nothing but a person covers them, each time (APR-62). */
function requestFor(
  deps: ShellToolDeps,
  command: string,
  cwd: string | undefined,
  { verdict, reason, mustAsk }: CommandJudgement,
): AskedAction {
  const isUnconfined = deps.exec.status().unconfined;
  const isApproved = verdict === "auto_approve" && !isUnconfined;
  const place = cwd === undefined ? "" : `(in ${cwd}) `;
  const why = isUnconfined && verdict === "auto_approve" ? "no sandbox confines it" : reason;
  return {
    tool: "run_shell_command",
    kind: "run_command",
    detail: `${place}${command}${isApproved ? "" : ` (${why})`}`,
    actions: [{ kind: "run_command", target: command }],
    policyChecked: true,
    ...(isUnconfined ? {} : { key: `cmd:${deps.workspace}\0${command}`, keyLabel: "this exact command here" }),
    ...(mustAsk || isUnconfined ? { mustAsk: true } : {}),
    ...(isApproved ? { preApproved: "policy" as const } : {}),
  };
}

/** SH-04: whatever number is given ends up between 1 second and half an hour. */
function timeoutSeconds(asked: unknown, standard: number): number {
  const seconds = typeof asked === "number" && !Number.isNaN(asked) ? asked : standard;
  return Math.min(Math.max(seconds, 1), MAX_TIMEOUT_SECONDS);
}

/** The command has run: what it did is told even if the checkpoint can't be closed. */
async function noteEnd(deps: ShellToolDeps, command: string, context: CallContext): Promise<void> {
  try {
    await deps.afterCommand?.(context.turnId, command);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.emit({ type: "notice", text: `what the command changed could not be recorded: ${why}`, error: true });
  }
}
