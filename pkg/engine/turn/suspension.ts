// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ToolCallPart, type ToolResultPart, UNKNOWN_OUTCOME } from "../history/index.js";
import type { Batch, BatchWatch } from "../loop/index.js";
import type { SavedRequest } from "../requests/index.js";
import { formatSavedTurn, type SavedCall, type SavedTurn } from "./saved-turn.js";

/** What keeping a waiting turn needs. */
export interface SuspensionDeps {
  /** Writes the turn's file, `undefined` removes it. */
  readonly saveTurn: (text: string | undefined) => Promise<void>;
  /** What waits for a person now. */
  readonly requests: () => readonly SavedRequest[];
  /** An earlier process has left the file. */
  readonly isOnDisk: boolean;
  /** The rest of the file, as it is now. */
  readonly about: () => Omit<SavedTurn, "calls" | "requests">;
  /** The calls that waited have their results. */
  readonly onBatchEnd: () => Promise<void>;
  /** The file can't be written: the turn goes on, and won't outlive its process. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Keeps a turn on disk while it waits for a person, and only then (SVC-25). Every change that decides
 * whether a call may be run again is on disk before the call begins.
 */
export interface Suspension {
  readonly watch: BatchWatch;
  /** Writes the file while something waits, removes it when nothing does. Never rejects. */
  save(): Promise<void>;
  /** The turn is given up with its process: the file stays as it is. */
  freeze(): void;
  /** The turn has ended: the file goes. */
  end(): Promise<void>;
}

/** Follows one turn. */
export function createSuspension(deps: SuspensionDeps): Suspension {
  let calls = new Map<string, SavedCall>();
  let { isOnDisk } = deps;
  let isOver = false;
  let isFailing = false;

  const save = async (): Promise<void> => {
    if (isOver) return;
    const requests = deps.requests();
    if (requests.length === 0 && !isOnDisk) return;
    isOnDisk = requests.length > 0;
    try {
      const text = formatSavedTurn({ ...deps.about(), calls: [...calls.values()], requests });
      await deps.saveTurn(isOnDisk ? text : undefined);
    } catch (error) {
      if (!isFailing) deps.onProblem(error);
      isFailing = true;
    }
  };
  const note = async (call: ToolCallPart, rest: Pick<SavedCall, "state"> & Partial<SavedCall>): Promise<void> => {
    calls.set(call.id, { call, ...rest });
    if (isOnDisk) await save();
  };

  return {
    save,
    watch: {
      begin: (batch, settled) => {
        calls = new Map(batch.map((call) => [call.id, savedCall(call, settled.get(call.id))]));
      },
      starting: (call) => note(call, { state: "running" }),
      settled: async (result) => {
        const known = calls.get(result.id);
        if (known !== undefined) await note(known.call, { state: "done", result });
      },
      end: async () => {
        calls = new Map();
        await deps.onBatchEnd();
      },
    },
    freeze: () => {
      isOver = true;
    },
    end: async () => {
      if (isOver) return;
      isOver = true;
      if (isOnDisk) await deps.saveTurn(undefined).catch(deps.onProblem);
    },
  };
}

function savedCall(call: ToolCallPart, result: ToolResultPart | undefined): SavedCall {
  return result === undefined ? { call, state: "queued" } : { call, state: "done", result };
}

/** The batch a saved turn goes on with: what finished, what may have had its effect, and what is taken up again. */
export function unfinishedOf(saved: SavedTurn): Batch {
  const waits = new Set(saved.requests.map((request) => request.callId));
  const settled = new Map<string, ToolResultPart>();
  for (const { call, state, result } of saved.calls) {
    if (result !== undefined) settled.set(call.id, result);
    else if (state === "running" && !waits.has(call.id)) settled.set(call.id, failedCall(call, UNKNOWN_OUTCOME));
  }
  return { calls: saved.calls.map(({ call }) => call), settled };
}

/** The results of a saved turn that is given up: what never ran says why. */
export function abandonedResults(saved: SavedTurn, why: string): ToolResultPart[] {
  const { calls, settled } = unfinishedOf(saved);
  return calls.map((call) => settled.get(call.id) ?? failedCall(call, why));
}

function failedCall({ id, name }: ToolCallPart, error: string): ToolResultPart {
  return { type: "toolResult", id, name, result: { error }, isError: true };
}
