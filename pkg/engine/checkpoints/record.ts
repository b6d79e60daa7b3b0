// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A file before the turn's first change of it (FS-61). */
export interface BeforeState {
  readonly exists: boolean;
  /** SHA-256 of the content, under which its blob is kept. */
  readonly hash?: string;
  readonly size?: number;
  /** Permission bits. */
  readonly mode?: number;
  /** It was a symbolic link; the content kept is where it points to. */
  readonly link?: boolean;
  /** Not kept, so it can't be restored (FS-62). */
  readonly too_large?: boolean;
}

/** A file a turn changed: what was there, and what the tool left. */
export interface ChangeRecord {
  /** Where it really is. */
  readonly abs: string;
  readonly display: string;
  readonly before: BeforeState;
  readonly after_exists: boolean;
  /** `""` when there is no file. */
  readonly after_hash: string;
}

/** The changes of one prompt. */
export interface TurnRecord {
  readonly id: number;
  readonly session: string;
  /** Set for a worker's run, which `undo` leaves alone (FS-99). */
  readonly run?: string;
  /** Transcript index of the prompt; -1 unknown. */
  readonly prompt: number;
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly changes: readonly ChangeRecord[];
}

/** The whole index as kept in `index.json`. */
export interface IndexRecord {
  readonly version: 1;
  readonly next_id: number;
  readonly turns: readonly TurnRecord[];
}

/** Reads an index; `undefined` when it isn't one of this version, whatever is wrong with it. */
export function parseIndex(text: string): IndexRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["version"] !== 1 || !isWhole(value["next_id"])) return undefined;
  const turns = value["turns"];
  if (!Array.isArray(turns) || !turns.every(isTurn)) return undefined;
  return { version: 1, next_id: value["next_id"], turns };
}

function isTurn(value: unknown): value is TurnRecord {
  return (
    isObject(value) &&
    isWhole(value["id"]) &&
    typeof value["session"] === "string" &&
    (value["run"] === undefined || typeof value["run"] === "string") &&
    typeof value["prompt"] === "number" &&
    typeof value["label"] === "string" &&
    typeof value["started"] === "number" &&
    Array.isArray(value["changes"]) &&
    value["changes"].every(isChange)
  );
}

function isChange(value: unknown): value is ChangeRecord {
  return (
    isObject(value) &&
    typeof value["abs"] === "string" &&
    typeof value["display"] === "string" &&
    typeof value["after_exists"] === "boolean" &&
    typeof value["after_hash"] === "string" &&
    isBefore(value["before"])
  );
}

function isBefore(value: unknown): value is BeforeState {
  if (!isObject(value) || typeof value["exists"] !== "boolean") return false;
  const { hash, size, mode } = value;
  // The hash becomes a file name: anything else than one must not reach the disk.
  return (
    (hash === undefined || (typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash))) &&
    (size === undefined || isWhole(size)) &&
    (mode === undefined || isWhole(mode)) &&
    (value["link"] === undefined || typeof value["link"] === "boolean")
  );
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
