// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { apiError, type Checkpoint, type UndoResult } from "@blitz/api";
import type { BeforeWrite, KeptBefore } from "../files/index.js";
import { type BlobStore, hashOf, openBlobs } from "./blob-store.js";
import { createIndexSaver, loadIndex, openFolder } from "./index-file.js";
import type { BeforeState, ChangeRecord, TurnRecord } from "./record.js";
import { restore } from "./restore.js";
import { diffToNow } from "./session-diff.js";
import { type CheckpointLimits, hashesOf, merged, withinAge, withinBudget } from "./turn-list.js";

/** A prompt that begins. */
export interface TurnBegin {
  readonly session: string;
  readonly turn: string;
  /** Its index in the transcript; -1 unknown. */
  readonly prompt: number;
  /** The prompt on one line; cut to 60 characters (FS-60). */
  readonly label: string;
  /** The prompt began in an earlier process: its changes go on there (SVC-25). */
  readonly continues?: boolean;
}

/** How checkpoints are opened. */
export interface CheckpointsOptions {
  /** Folder of all workspaces' checkpoints; `""` = memory, gone with the process. */
  readonly dir: string;
  /** Canonical path. */
  readonly workspace: string;
  readonly limits: CheckpointLimits;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly warn: (text: string) => void;
}

/** What files were before each prompt (06 §6). Its folder belongs to one process at a time. */
export interface Checkpoints {
  /** From now on the session's changes belong to this prompt (FS-60, 60a). */
  begin(turn: TurnBegin): Promise<void>;
  /** For the file sandbox: keeps a file's state before its first change in a turn (FS-61). Never rejects. */
  readonly beforeWrite: (change: BeforeWrite) => Promise<KeptBefore>;
  /** Prompts that changed something, newest first. */
  list(): readonly Checkpoint[];
  /** Takes back the latest prompt's changes. @throws ApiError `NOTHING_TO_UNDO` `UNDO_CONFLICT` */
  undo(force: boolean): Promise<UndoResult>;
  /**
   * Takes back a session's changes since a prompt, as one operation (FS-68).
   *
   * @throws ApiError `NOTHING_TO_UNDO` `UNDO_CONFLICT`
   */
  rewind(session: string, prompt: number, force: boolean): Promise<UndoResult>;
  /** After a rewind of the conversation alone: these prompts' changes stay at the next rewind to the same place (FS-68). */
  detach(session: string, prompt: number): Promise<void>;
  /** From before a session's first change to now; `""` = of all sessions (FS-65). */
  sessionDiff(session: string): Promise<string>;
  /** Waits until all is on disk. May be called again. */
  close(): Promise<void>;
}

const NO_PROMPT: string = "(no prompt)";
const LABEL_LENGTH: number = 60;

/** The turns as they are now, and all that changes them. */
interface Book {
  turns: readonly TurnRecord[];
  nextId: number;
  /** The turn a session's changes belong to. */
  readonly current: Map<string, number>;
  readonly blobs: BlobStore;
  readonly options: CheckpointsOptions;
  readonly save: () => Promise<void>;
}

/** Opens a workspace's checkpoints; what the disk refuses is warned about once and then kept in memory (FS-67). */
export async function openCheckpoints(options: CheckpointsOptions): Promise<Checkpoints> {
  let warned = false;
  const failed = (error: unknown): void => {
    if (warned) return;
    warned = true;
    const why = error instanceof Error ? error.message : String(error);
    options.warn(`Checkpoints can't be saved, so undo lasts only until Blitz ends: ${why}`);
  };
  const folder = await openFolder(options.dir, options.workspace, failed);
  const index = folder === undefined ? undefined : await loadIndex(folder, options.warn);
  const saver = createIndexSaver(folder, () => ({ version: 1, next_id: book.nextId, turns: book.turns }), failed);
  const book: Book = {
    turns: index?.turns ?? [],
    nextId: index?.next_id ?? 1,
    current: new Map(),
    blobs: await openBlobs(folder === undefined ? undefined : path.join(folder, "blobs"), failed),
    options,
    save: () => saver.save(),
  };
  const kept = withinBudget(withinAge(book.turns, options.limits.maxAgeDays, options.clock()), options.limits.maxBytes);
  if (kept.length < book.turns.length) {
    await trim(book, kept);
    await book.save();
  } else await book.blobs.keepOnly(() => hashesOf(book.turns));
  return checkpointsOf(book);
}

function checkpointsOf(book: Book): Checkpoints {
  let last: Promise<unknown> = Promise.resolve();
  /** Undoing is one at a time: two would check against each other's half-restored files. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // told to whoever asked
    return await mine;
  };
  return {
    begin: async (turn) => {
      const begun = book.turns.findLast((one) => isOf(one, turn.session));
      if (turn.continues === true && begun?.prompt === turn.prompt) book.current.set(turn.session, begun.id);
      else beginTurn(book, turn.session, turn.prompt, turn.label);
    },
    beforeWrite: (change) => keepBefore(book, change),
    list: () =>
      book.turns
        .filter((turn) => turn.changes.length > 0 && turn.run === undefined)
        .map(({ id, label, started, changes }) => ({
          id: String(id),
          label,
          time: new Date(started),
          files: changes.map((change) => change.display).sort(),
        }))
        .reverse(),
    undo: (force) =>
      alone(async () => {
        const turn = book.turns.findLast((one) => one.changes.length > 0 && one.run === undefined);
        return await takeBack(book, turn === undefined ? [] : [turn], force);
      }),
    rewind: (session, prompt, force) =>
      alone(async () => {
        const turns = book.turns.filter((turn) => isOf(turn, session) && turn.prompt >= prompt);
        return await takeBack(book, turns, force);
      }),
    detach: async (session, prompt) => {
      book.turns = book.turns.map((turn) =>
        isOf(turn, session) && turn.prompt >= prompt ? { ...turn, prompt: prompt - 1 } : turn,
      );
      await book.save();
    },
    sessionDiff: (session) =>
      diffToNow(book.blobs, merged(book.turns.filter((turn) => session === "" || turn.session === session))),
    close: () => book.save(),
  };
}

function isOf(turn: TurnRecord, session: string): boolean {
  return turn.session === session && turn.run === undefined;
}

/** Begins a turn; an empty last one of the same session is used again (FS-60). Saved with its first change. */
function beginTurn(book: Book, session: string, prompt: number, label: string): number {
  const cut = [...label.replaceAll(/\s+/g, " ").trim()].slice(0, LABEL_LENGTH).join("");
  const latest = book.turns.at(-1);
  const reused = latest?.session === session && latest.run === undefined && latest.changes.length === 0;
  const id = reused ? latest.id : book.nextId++;
  const turn: TurnRecord = { id, session, prompt, label: cut, started: book.options.clock(), changes: [] };
  book.turns = [...(reused ? book.turns.slice(0, -1) : book.turns), turn];
  book.current.set(session, id);
  return id;
}

async function keepBefore(book: Book, change: BeforeWrite): Promise<KeptBefore> {
  const id = currentTurn(book, change.by.sessionId);
  const known = changeIn(book, id, change.real);
  if (known === undefined) {
    const before = stateBefore(book, change.before);
    const after_hash = before.hash ?? "";
    setChange(book, id, { abs: change.real, display: change.display, before, after_exists: before.exists, after_hash });
    // On record first: a clean-up going on meanwhile must see that the content is needed.
    if (change.before.exists && before.hash !== undefined) await book.blobs.put(before.hash, change.before.bytes);
  }
  return {
    done: async (after, mode) => {
      const entry = changeIn(book, id, change.real);
      if (entry === undefined) return; // undone meanwhile
      const after_hash = after === undefined ? "" : hashOf(after);
      // Taken back by the tool itself, as after a failed patch: nothing is left to undo (FS-54).
      if (isAsBefore(entry.before, after_hash, mode)) dropChange(book, id, change.real);
      else setChange(book, id, { ...entry, after_exists: after !== undefined, after_hash });
      const kept = withinBudget(book.turns, book.options.limits.maxBytes);
      if (kept.length < book.turns.length) await trim(book, kept);
      await book.save();
    },
    drop: async () => {
      // Its content stays until the next open or undo: another change may have taken the same one into use.
      if (known === undefined) dropChange(book, id, change.real);
    },
  };
}

/** The session's turn that is under way, or one without a prompt. */
function currentTurn(book: Book, session: string): number {
  const id = book.current.get(session);
  if (id !== undefined && book.turns.some((turn) => turn.id === id)) return id;
  return beginTurn(book, session, -1, NO_PROMPT);
}

function stateBefore(book: Book, before: BeforeWrite["before"]): BeforeState {
  if (!before.exists) return { exists: false };
  const { bytes, mode } = before;
  const link = before.isLink === true ? { link: true } : {};
  const about = { exists: true, size: bytes.length, mode, ...link } as const;
  if (bytes.length > book.options.limits.maxBytes) return { ...about, too_large: true };
  return { ...about, hash: hashOf(bytes) };
}

function changeIn(book: Book, id: number, abs: string): ChangeRecord | undefined {
  return book.turns.find((turn) => turn.id === id)?.changes.find((change) => change.abs === abs);
}

function setChange(book: Book, id: number, change: ChangeRecord): void {
  setChanges(book, id, (changes) => [...changes.filter((one) => one.abs !== change.abs), change]);
}

function dropChange(book: Book, id: number, abs: string): void {
  setChanges(book, id, (changes) => changes.filter((one) => one.abs !== abs));
}

/** Whether a file is as it was before the turn; an unknown mode is not. */
function isAsBefore(before: BeforeState, hash: string, mode: number | undefined): boolean {
  if (before.link === true) return false; // a file with the same content is still no link
  return before.exists ? before.hash === hash && before.mode === mode : hash === "";
}

function setChanges(book: Book, id: number, next: (changes: readonly ChangeRecord[]) => readonly ChangeRecord[]): void {
  book.turns = book.turns.map((turn) => (turn.id === id ? { ...turn, changes: next(turn.changes) } : turn));
}

/** Drops older turns, and says so when that means something can't be undone any more (FS-62). */
async function trim(book: Book, kept: readonly TurnRecord[]): Promise<void> {
  const lost = book.turns.filter((turn) => !kept.includes(turn) && turn.changes.length > 0).length;
  book.turns = kept;
  await book.blobs.keepOnly(() => hashesOf(book.turns));
  if (lost > 0)
    book.options.warn(`${lost} older checkpoint(s) were dropped: over [checkpoints] max_bytes or max_age_days.`);
}

/** Restores what turns changed and drops them; where it stopped part-way, the rest stays on record. */
async function takeBack(book: Book, turns: readonly TurnRecord[], force: boolean): Promise<UndoResult> {
  const changes = merged(turns);
  const label = turns[0]?.label ?? "";
  if (changes.length === 0) throw apiError("NOTHING_TO_UNDO", "there is nothing to undo", {});
  const { restored, left, error } = await restore(book.blobs, changes, force);
  const ids = new Set(turns.map((turn) => turn.id));
  book.turns = book.turns
    .map((turn) =>
      ids.has(turn.id) ? { ...turn, changes: turn.changes.filter((change) => left.has(change.abs)) } : turn,
    )
    .filter((turn) => !ids.has(turn.id) || turn.changes.length > 0);
  await book.blobs.keepOnly(() => hashesOf(book.turns));
  await book.save();
  return { label, restored, ...(error === undefined ? {} : { error }) };
}
