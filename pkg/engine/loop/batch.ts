// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ToolCallPart, ToolResultPart } from "../history/index.js";
import type { CallRun, Calls } from "../tools/call/index.js";

/** The result of a call that was cancelled before or while it ran (ENG-102). */
export const INTERRUPTED: string = "interrupted by the user";

/** Told what becomes of a batch's calls, so that a turn that waits can be gone on with later (ENG-104). */
export interface BatchWatch {
  begin(calls: readonly ToolCallPart[], settled: ReadonlyMap<string, ToolResultPart>): void;
  /** Resolves when it is safe to run the call: whatever says it didn't run has been corrected. */
  starting(call: ToolCallPart): Promise<void>;
  settled(result: ToolResultPart): Promise<void>;
  /** The results are in the log. */
  end(): Promise<void>;
}

/** Calls of one answer, and the results some of them have already. */
export interface Batch {
  readonly calls: readonly ToolCallPart[];
  readonly settled: ReadonlyMap<string, ToolResultPart>;
}

/**
 * Runs the calls of one answer, at most `maxParallel` at once. Every call settles exactly once, in
 * call order in the list returned; calls still queued when the signal aborts fail at once (ENG-12).
 */
export async function runBatch(
  deps: { readonly calls: Calls; readonly maxParallel: number; readonly watch?: BatchWatch | undefined },
  batch: Batch,
  run: CallRun,
  signal: AbortSignal,
): Promise<ToolResultPart[]> {
  const { watch } = deps;
  const results = new Map(batch.settled);
  watch?.begin(batch.calls, batch.settled);
  const queue = batch.calls.filter((call) => !results.has(call.id)).values();
  const worker = async (): Promise<void> => {
    for (const call of queue) {
      await watch?.starting(call);
      const result = signal.aborted ? interrupted(call) : await settle(deps.calls.run(call, run, signal), call, signal);
      results.set(call.id, result);
      await watch?.settled(result);
    }
  };
  const workers = deps.maxParallel < 1 ? 1 : Math.min(deps.maxParallel, batch.calls.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return batch.calls.map((call) => results.get(call.id) ?? interrupted(call));
}

/** How long a running tool may take to notice an abort before its result is given up. */
const GRACE_MS: number = 4_000;

async function settle(
  running: Promise<ToolResultPart>,
  call: ToolCallPart,
  signal: AbortSignal,
): Promise<ToolResultPart> {
  const given = Promise.withResolvers<ToolResultPart>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => given.resolve(interrupted(call)), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([running, given.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  }
}

function interrupted(call: ToolCallPart): ToolResultPart {
  return { type: "toolResult", id: call.id, name: call.name, result: { error: INTERRUPTED }, isError: true };
}
