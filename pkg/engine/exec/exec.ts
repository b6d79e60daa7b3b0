// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";
import { Grant } from "../grant/index.js";
import { childEnvironment, type Environment } from "./environment.js";
import { type CommandResult, runGuarded } from "./run-guarded.js";
import { openSandbox, type SandboxOptions, type SandboxStatus } from "./sandbox/os-sandbox.js";

/** What running commands needs. */
export interface ExecOptions {
  readonly sandbox: SandboxOptions;
  /** The environment children start from, before scrubbing. */
  readonly env: Environment;
  /** `sandbox.scrub_env`: names of variables children never get (SH-32). */
  readonly scrubEnv: readonly string[];
  /** Output kept of a command; 100 KiB unless given (SH-03). */
  readonly maxOutputBytes?: number;
}

/** A command to run. */
export interface CommandRequest {
  /** Has to cover this very command. */
  readonly grant: Grant;
  readonly command: string;
  /** An existing directory, absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Added to the environment, and scrubbed like it. */
  readonly env?: Environment;
}

/** Child processes: the agent's commands, confined, guarded and bounded. */
export interface Exec extends AsyncDisposable {
  /**
   * Runs `bash -c <command>` and settles when it ended and its group is gone (SH-03…05). A command that
   * fails, doesn't start, runs out of time or is cancelled is a result.
   *
   * @throws ApiError `INTERNAL` when the grant doesn't cover the command: nothing ran
   */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
  status(): SandboxStatus;
}

const MAX_OUTPUT_BYTES = 100 * 1024;

/**
 * Probes the OS sandbox and opens the room. Disposing kills what still runs and refuses more.
 *
 * @throws ApiError `SANDBOX_UNAVAILABLE`
 */
export async function createExec(options: ExecOptions): Promise<Exec> {
  const sandbox = await openSandbox(options.sandbox);
  const closing = new AbortController();
  const running = new Set<Promise<CommandResult>>();

  const start = async (request: CommandRequest, signal: AbortSignal): Promise<CommandResult> => {
    const { command, cwd, timeoutMs } = request;
    if (command.includes("\0")) return notStarted("the command has a NUL character in it");
    let argv: readonly string[];
    try {
      argv = await sandbox.wrap(["bash", "-c", command], signal);
    } catch (error) {
      if (signal.aborted) return { ...notStarted("command cancelled"), exitCode: -1 };
      return notStarted(`the sandbox could not be set up: ${error instanceof Error ? error.message : String(error)}`);
    }
    const env = childEnvironment(options.env, request.env ?? {}, options.scrubEnv, cwd);
    return await runGuarded(
      { argv, cwd, env, timeoutMs, maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES },
      signal,
    );
  };

  return {
    run: async (request, signal) => {
      if (!Grant.covers(request.grant, "run_command", request.command)) {
        throw apiError("INTERNAL", "a command was to be run without a grant that covers it", {});
      }
      const run = start(request, AbortSignal.any([signal, closing.signal]));
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    status: () => sandbox.status(),
    [Symbol.asyncDispose]: async () => {
      closing.abort(new Error("Blitz is closing"));
      await Promise.allSettled(running);
    },
  };
}

function notStarted(error: string): CommandResult {
  return { output: "", exitCode: 1, durationMs: 0, truncated: false, error };
}
