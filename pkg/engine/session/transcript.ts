// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Message } from "@blitz/api";

/** One line of the transcript, `<id>.jsonl`: what the user typed and the model's final replies. */
export interface TranscriptLine {
  readonly message: Message;
  /** How many lines the event log held before a prompt; what rewind cuts at (SES-45). */
  readonly events?: number;
}

const ROLES: readonly unknown[] = ["user", "model", "tool"];
const KINDS: readonly unknown[] = ["", "steer", "hook", "plan", "task"];

/** The line of a message, with its newline. */
export function formatMessage({ message, events }: TranscriptLine): string {
  const line = {
    role: message.role,
    content: message.text.toWellFormed(),
    timestamp: message.time.toISOString(),
    ...(message.kind === "" ? {} : { kind: message.kind }),
    ...(events === undefined ? {} : { events }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Reads a transcript; torn and foreign lines are skipped (SES-10). */
export function parseTranscript(text: string): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    let value: Readonly<Record<string, unknown>>;
    try {
      value = JSON.parse(line) as Readonly<Record<string, unknown>>;
    } catch {
      continue; // torn by a crash: the rest of the transcript is whole
    }
    const { role, content, timestamp, kind = "", events } = value ?? {};
    if (!ROLES.includes(role) || typeof content !== "string" || !KINDS.includes(kind)) continue;
    const time = new Date(typeof timestamp === "string" ? timestamp : 0);
    const message = { role, text: content, time, kind } as Message;
    lines.push(typeof events === "number" ? { message, events } : { message });
  }
  return lines;
}
