// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ToolCallPart, ToolResultPart } from "../history/index.js";
import type { CallRun, Calls } from "../tools/call/index.js";

/** The result of a call that was cancelled before or while it ran (ENG-102). */
export const INTERRUPTED: string = "interrupted by the user";

/**
 * Runs the calls of one answer, at most `maxParallel` at once. Every call settles exactly once, in
 * call order in the list returned; calls still queued when the signal aborts fail at once (ENG-12).
 */
export async function runBatch(
  deps: { readonly calls: Calls; readonly maxParallel: number },
  batch: readonly ToolCallPart[],
  run: CallRun,
  signal: AbortSignal,
): Promise<ToolResultPart[]> {
  const results = new Array<ToolResultPart | undefined>(batch.length);
  const queue = batch.entries();
  const worker = async (): Promise<void> => {
    for (const [at, call] of queue) {
      results[at] = signal.aborted ? interrupted(call) : await settle(deps.calls.run(call, run, signal), call, signal);
    }
  };
  const workers = deps.maxParallel < 1 ? 1 : Math.min(deps.maxParallel, batch.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return results.map((result, at) => result ?? interrupted(batch[at] as ToolCallPart));
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
