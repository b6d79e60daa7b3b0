// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** Where the chain stands: kept in `<dir>/head`, one record of fixed size (AUD-12). */
interface Head {
  readonly chain: string;
  readonly file: string;
  /** Bytes in `file`. */
  readonly size: number;
  readonly seq: number;
  /** SHA-256 of the last line without its newline. */
  readonly hash: string;
  /** `seq` of the first line in `file`. */
  readonly first: number;
}

type StartReason = "new" | "upgraded" | "enabled" | "broken";

const HEAD_BYTES = 512;
const DAY_FILE = /^audit-\d{4}-\d{2}-\d{2}\.jsonl$/;

/** Name of the file that says logging was switched off here; the next entry starts a new chain (AUD-10). */
export const OFF_MARKER = "off";

/**
 * Appends records to the day's file as lines of the hash chain (AUD-09…12). The caller holds the
 * folder's lock. Nothing written before is changed; what doesn't fit the head starts a new chain.
 */
export function appendRecords(dir: string, time: number, records: readonly Readonly<Record<string, unknown>>[]): void {
  const day = new Date(time).toISOString();
  const file = `audit-${day.slice(0, 10)}.jsonl`;
  const known = loadHead(dir);
  const marker = join(dir, OFF_MARKER);
  const switchedOn = existsSync(marker);
  const at = known === undefined ? undefined : catchUp(dir, known);
  const out = createLines(at);
  const started = startReason(dir, known, at, switchedOn);
  if (started !== undefined) out.start(started, known, day);
  else if (at !== undefined && at.file !== file) out.rotate(at, day);
  for (const record of records) out.add(record);
  const size = appendTo(join(dir, file), out.text());
  saveHead(dir, out.head(file, size));
  if (switchedOn) rmSync(marker, { force: true });
}

function startReason(
  dir: string,
  known: Head | undefined,
  at: Head | undefined,
  switchedOn: boolean,
): StartReason | undefined {
  if (at !== undefined) return switchedOn ? "enabled" : undefined;
  if (known !== undefined) return "broken";
  const files = dayFiles(dir).filter((name) => statSync(join(dir, name)).size > 0);
  if (files.length === 0) return "new";
  return files.some((name) => /^\{"seq":/m.test(readFileSync(join(dir, name), "utf8"))) ? "broken" : "upgraded";
}

function dayFiles(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((name) => DAY_FILE.test(name))
    .sort();
}

interface Lines {
  start(reason: StartReason, old: Head | undefined, time: string): void;
  rotate(before: Head, time: string): void;
  add(record: Readonly<Record<string, unknown>>): void;
  text(): string;
  head(file: string, size: number): Head;
}

/** Builds lines that chain on from `at`. */
function createLines(at: Head | undefined): Lines {
  let chain = at?.chain ?? "";
  let seq = at?.seq ?? -1;
  let prev = at?.hash ?? "";
  let first = at?.first ?? 0;
  let text = "";
  const add = (record: Readonly<Record<string, unknown>>): void => {
    seq += 1;
    const line = JSON.stringify({ seq, prev, ...record });
    prev = sha256(line);
    text += `${line}\n`;
  };
  return {
    start: (reason, old, time) => {
      chain = randomBytes(16).toString("hex");
      seq = -1;
      first = 0;
      prev = sha256(`blitz-audit-v1:${chain}`);
      const before = old === undefined ? {} : { old_chain: old.chain, old_seq: old.seq, old_hash: old.hash };
      add({ time, kind: "audit_start", chain, reason, ...before });
    },
    rotate: (before, time) => {
      first = seq + 1;
      add({ time, kind: "audit_day", previous: before.file, entries: before.seq - before.first + 1 });
    },
    add,
    text: () => text,
    head: (file, size) => ({ chain, file, size, seq, hash: prev, first }),
  };
}

/**
 * The head brought up to what is on disk: lines a writer appended without getting to the head are
 * checked and taken in, a torn last line is ended and chained over. `undefined` when it doesn't fit.
 */
function catchUp(dir: string, head: Head): Head | undefined {
  const path = join(dir, head.file);
  const size = existsSync(path) ? statSync(path).size : -1;
  if (size === head.size) return head;
  if (size < head.size) return undefined;
  let { seq, hash } = head;
  const tail = readFrom(path, head.size, size);
  let start = 0;
  for (let end = tail.indexOf(NEWLINE); end >= 0; end = tail.indexOf(NEWLINE, start)) {
    const line = tail.subarray(start, end);
    if (!line.toString("latin1").startsWith(`{"seq":${seq + 1},"prev":"${hash}"`)) return undefined;
    seq += 1;
    hash = sha256(line);
    start = end + 1;
  }
  if (start === tail.length) return { ...head, size, seq, hash };
  // The torn line has no number of its own; its bytes are what the next line's `prev` covers.
  return { ...head, size: appendTo(path, "\n"), seq, hash: sha256(tail.subarray(start)) };
}

const NEWLINE = 0x0a;

function readFrom(path: string, start: number, end: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** One write of whole lines at the end; the file's size after it. */
function appendTo(path: string, text: string): number {
  const file = openSync(path, "a", 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    return statSync(path).size;
  } finally {
    closeSync(file);
  }
}

function loadHead(dir: string): Head | undefined {
  const path = join(dir, "head");
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isHead(value) ? value : BROKEN_HEAD;
  } catch {
    return BROKEN_HEAD; // it is there but says nothing: the chain is broken, and logging goes on
  }
}

const BROKEN_HEAD: Head = { chain: "", file: "", size: Number.MAX_SAFE_INTEGER, seq: -1, hash: "", first: 0 };

function isHead(value: unknown): value is Head {
  if (typeof value !== "object" || value === null) return false;
  const { chain, file, size, seq, hash, first } = value as Partial<Record<keyof Head, unknown>>;
  const texts = [chain, file, hash].every((item) => typeof item === "string");
  return texts && [size, seq, first].every(Number.isSafeInteger) && DAY_FILE.test(String(file));
}

function saveHead(dir: string, head: Head): void {
  const file = openSync(join(dir, "head"), existsSync(join(dir, "head")) ? "r+" : "w", 0o600);
  try {
    writeSync(
      file,
      JSON.stringify(head)
        .padEnd(HEAD_BYTES - 1)
        .concat("\n"),
      0,
    );
  } finally {
    closeSync(file);
  }
}

function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
