// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ChangeRecord, IndexRecord, TurnRecord } from "./record.js";

/** What limits the changes kept (FS-62). */
export interface CheckpointLimits {
  /** Bytes of all contents kept; also the most of one file. */
  readonly maxBytes: number;
  readonly maxAgeDays: number;
}

const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Turns no older than the limit; one dated in the future counts as new, and the latest with changes stays (FS-62). */
export function withinAge(turns: readonly TurnRecord[], maxAgeDays: number, nowMs: number): readonly TurnRecord[] {
  const latest = latestWithChanges(turns);
  return turns.filter((turn, at) => at >= latest || nowMs - turn.started <= maxAgeDays * DAY_MS);
}

/** The newest turns whose contents fit the limit together; the latest with changes always stays (FS-62). */
export function withinBudget(turns: readonly TurnRecord[], maxBytes: number): readonly TurnRecord[] {
  const latest = latestWithChanges(turns);
  const counted = new Set<string>();
  let total = 0;
  for (let at = turns.length - 1; at >= 0; at--) {
    for (const { before } of turns[at]?.changes ?? []) {
      if (before.hash === undefined || counted.has(before.hash)) continue;
      counted.add(before.hash);
      total += before.size ?? 0;
    }
    if (total > maxBytes && at < latest) return turns.slice(at + 1);
  }
  return turns;
}

function latestWithChanges(turns: readonly TurnRecord[]): number {
  const at = turns.findLastIndex((turn) => turn.changes.length > 0);
  return at >= 0 ? at : turns.length - 1;
}

/** Every content some turn needs. */
export function hashesOf(turns: IndexRecord["turns"]): ReadonlySet<string> {
  const hashes = turns.flatMap((turn) => turn.changes.map((change) => change.before.hash));
  return new Set(hashes.filter((hash) => hash !== undefined));
}

/** One change a file over several turns: its state before the first, and what the last left (FS-65, 68). */
export function merged(turns: readonly TurnRecord[]): ChangeRecord[] {
  const files = new Map<string, ChangeRecord>();
  for (const change of turns.flatMap((turn) => turn.changes)) {
    const first = files.get(change.abs);
    files.set(change.abs, first === undefined ? change : { ...change, before: first.before });
  }
  return [...files.values()].sort((a, b) => (a.display < b.display ? -1 : 1));
}
