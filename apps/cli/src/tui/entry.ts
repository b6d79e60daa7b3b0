// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What a line typed at the prompt is (TUI-20…22). */
export type Entry =
  | { readonly kind: "empty" }
  /** `!…`: a command of the user's own. */
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "command"; readonly name: string; readonly args: string }
  | { readonly kind: "prompt"; readonly text: string };

/** A slash and one name, then a blank or the end: `/etc/hosts` and `//note` are text (TUI-22). */
const COMMAND: RegExp = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/;

/** Reads a line as typed: a leading blank makes any of them text, which is how `/tmp` is sent. */
export function readEntry(typed: string): Entry {
  const text = typed.trim();
  if (text === "") return { kind: "empty" };
  if (typed.startsWith("!")) {
    const command = text.slice(1).trim();
    return command === "" ? { kind: "empty" } : { kind: "shell", command };
  }
  const [, name, args = ""] = COMMAND.exec(typed.trimEnd()) ?? [];
  if (name === undefined) return { kind: "prompt", text };
  return { kind: "command", name: name.toLowerCase(), args: args.trim() };
}
