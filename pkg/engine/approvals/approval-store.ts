// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { apiError } from "@blitz/api";
import { openFileLock } from "../audit/index.js";

/** An answer that was saved for good (APR-20). */
export interface SavedAnswer {
  readonly key: string;
  readonly label: string;
  /** RFC 3339 UTC. */
  readonly added: string;
}

/** The answers saved in one file; other processes may write it too. */
export interface ApprovalStore {
  /** Sorted by key. What this process read or wrote last. */
  list(): readonly SavedAnswer[];
  has(key: string): boolean;
  /** @throws Error when the file can't be read or written; it is never overwritten then */
  add(answer: SavedAnswer): Promise<void>;
  /** Removes these keys, whoever saved them; the number removed. */
  remove(keys: readonly string[]): Promise<number>;
}

type Answers = ReadonlyMap<string, SavedAnswer>;

/**
 * Opens the answers saved in `file`; missing = none (APR-20).
 *
 * @throws ApiError `CONFIG_INVALID` naming the file when it can't be read or has another version
 */
export async function openApprovalStore(options: { readonly file: string }): Promise<ApprovalStore> {
  const { file } = options;
  let answers = load(file);

  /** Reads again and merges under the lock: another process may have saved in between. */
  const change = async (edit: (stored: Map<string, SavedAnswer>) => void): Promise<void> => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lock = openFileLock(`${file}.lock`);
    try {
      await lock.run(() => {
        const stored = new Map(load(file));
        edit(stored);
        answers = new Map([...stored].sort(([a], [b]) => (a < b ? -1 : 1)));
        save(file, answers);
      });
    } finally {
      lock.close();
    }
  };

  return {
    list: () => [...answers.values()],
    has: (key) => answers.has(key),
    add: (answer) => change((stored) => stored.set(answer.key, answer)),
    remove: async (keys) => {
      let removed = 0;
      await change((stored) => {
        removed = keys.filter((key) => stored.delete(key)).length;
      });
      return removed;
    },
  };
}

function load(file: string): Answers {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw invalid(file, "it can't be read", error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, "it isn't JSON", error);
  }
  if (!isRecord(value) || value["version"] !== 1 || !Array.isArray(value["rules"])) {
    throw invalid(file, "it isn't a list of saved answers of version 1");
  }
  return new Map(
    value["rules"].map((rule: unknown) => {
      if (!isAnswer(rule)) throw invalid(file, "one of its rules lacks a key, a label or a date");
      return [rule.key, { key: rule.key, label: rule.label, added: rule.added }];
    }),
  );
}

function save(file: string, answers: Answers): void {
  const temporary = `${file}.tmp-${randomBytes(6).toString("hex")}`;
  try {
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeSync(handle, `${JSON.stringify({ version: 1, rules: [...answers.values()] }, null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function invalid(file: string, why: string, cause?: unknown): Error {
  const problem = `the saved answers in ${file} can't be used: ${why}. Mend or move the file.`;
  return apiError("CONFIG_INVALID", problem, { problems: problem }, cause);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isAnswer(value: unknown): value is SavedAnswer {
  return isRecord(value) && ["key", "label", "added"].every((name) => typeof value[name] === "string");
}
