// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createHash } from "node:crypto";
import type { JsonObject } from "@blitz/api";

/** What happened, in the words of AUD-03. */
export type AuditKind =
  | "session_start"
  | "prompt"
  | "tool_call"
  | "tool_result"
  | "approval"
  | "denial"
  | "trash"
  | "hook"
  | "undo"
  | "attachment"
  | "user_shell"
  | "user_search";

/** One entry (AUD-02); `detail`, `error` and the strings in `args` are redacted before they are written. */
export interface AuditEntry {
  readonly kind: AuditKind;
  readonly by?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly detail?: string;
  readonly decision?: string;
  readonly error?: string;
  readonly workspace?: string;
}

const MAX_ARG_CHARS = 64 * 1024;

/** An entry as it goes to disk: fields in the order of AUD-02, empty ones left out, secrets taken out (AUD-04, 06). */
export function recordOf(
  entry: AuditEntry,
  time: number,
  redact: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = { time: new Date(time).toISOString() };
  const put = (name: string, value: unknown): void => {
    if (value !== undefined && value !== "") record[name] = value;
  };
  put("by", entry.by);
  put("agent", entry.agent);
  put("session", entry.session);
  put("kind", entry.kind);
  put("tool", entry.tool);
  try {
    put("args", entry.args === undefined ? undefined : cleaned(entry.args, redact, 0));
  } catch (error) {
    record["error"] = `the arguments could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
  put("detail", entry.detail === undefined ? undefined : redact(entry.detail));
  put("decision", entry.decision);
  put("error", entry.error === undefined ? undefined : redact(entry.error));
  put("workspace", entry.workspace);
  return record;
}

function cleaned(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (depth > 64) throw new Error("nested too deeply");
  if (typeof value === "string") return redact(cut(value));
  if (Array.isArray(value)) return value.map((item) => cleaned(item, redact, depth + 1));
  if (typeof value === "bigint") throw new Error("a BigInt is not JSON");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item, redact, depth + 1)]));
}

function cut(text: string): string {
  if (text.length <= MAX_ARG_CHARS) return text;
  const sha256 = createHash("sha256").update(text).digest("hex");
  return `${text.slice(0, MAX_ARG_CHARS)}… (${text.length} characters, sha256 ${sha256})`;
}
