// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind } from "@blitz/api";
import type { SavedAnswer } from "./approval-store.js";

/** A remembered answer as people see it (APR-21). */
export interface RememberedAnswer {
  readonly kind: ApprovalKind;
  /** The command, host, provider or tool; "" for edits and deletions. */
  readonly subject: string;
  /** The workspace it holds in, if only there. */
  readonly dir?: string;
  /** Saved; else it ends with this process. */
  readonly always: boolean;
  /** RFC 3339 UTC. */
  readonly added: string;
  readonly key: string;
}

const KINDS: Readonly<Record<string, ApprovalKind>> = {
  cmd: "run_command",
  write: "write_file",
  delete: "delete_file",
  web: "network",
  search: "network",
  pyenv: "network",
  mcp: "mcp_tool",
};

/** Takes an answer's key apart (05 §1). Keys of other kinds are about running something. */
export function describeAnswer({ key, added }: SavedAnswer, always: boolean): RememberedAnswer {
  const colon = key.indexOf(":");
  const prefix = key.slice(0, Math.max(colon, 0));
  const rest = key.slice(colon + 1);
  const kind = KINDS[prefix] ?? "run_command";
  const about = { kind, always, added, key };
  if (prefix === "write" || prefix === "delete") return { ...about, subject: "", dir: rest };
  const split = prefix === "cmd" ? rest.indexOf("\0") : -1;
  return split < 0
    ? { ...about, subject: rest }
    : { ...about, subject: rest.slice(split + 1), dir: rest.slice(0, split) };
}
