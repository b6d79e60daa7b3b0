// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SandboxSpec } from "./bubblewrap.js";

/** What macOS hides by expression: it holds for files made later, too. */
export interface SeatbeltBlocked {
  /** Absolute paths with all beneath them; one with `*` or `?` is a pattern within its segments. */
  readonly paths: readonly string[];
  /** File names at any depth; `*` and `?` as usual. */
  readonly names: readonly string[];
}

/** The profile for `sandbox-exec -p` (SH-22). Later rules win, so what is blocked comes last. */
export function seatbeltProfile(spec: SandboxSpec, blocked: SeatbeltBlocked): string {
  const lines = ["(version 1)", "(allow default)", "(deny file-write*)"];
  for (const path of spec.writable) lines.push(`(allow file-write* (subpath ${quoted(path)}))`);
  for (const device of ["null", "zero", "tty", "dtracehelper"])
    lines.push(`(allow file-write* (literal ${quoted(`/dev/${device}`)}))`);
  lines.push('(allow file-write* (regex #"^/dev/ttys[0-9]+$") (regex #"^/dev/fd/"))');
  for (const path of spec.readOnly) lines.push(`(deny file-write* (subpath ${quoted(path)}))`);
  if (!spec.network) lines.push("(deny network*)", "(allow network* (remote unix-socket))");
  for (const path of blocked.paths) {
    const filter = /[*?]/.test(path) ? `(regex #"^${expressionOf(path)}")` : `(subpath ${quoted(path)})`;
    lines.push(`(deny file-read* file-write* ${filter})`, `(deny network-outbound ${filter})`);
  }
  for (const name of blocked.names) lines.push(`(deny file-read* file-write* (regex #"/${expressionOf(name)}"))`);
  return lines.join("\n");
}

/** A string of the profile language. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function expressionOf(name: string): string {
  const escaped = name.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll('"', "[\\x22]");
  return `${escaped.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}($|/)`;
}
