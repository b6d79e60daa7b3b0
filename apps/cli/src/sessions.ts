// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { withBackend } from "./with-backend.js";

/** `blitz sessions`: this workspace's sessions, newest first, one a line: ID, time, messages, title. */
export async function runSessions(line: Parsed, program: Program): Promise<number> {
  return await withBackend(program, line.has("local"), async (backend, messages) => {
    const sessions = await backend.listSessions(line.has("all"));
    if (sessions.length === 0) program.stderr.write(`${messages.t("sessions.none")}\n`);
    for (const session of sessions) program.stdout.write(`${sessionRow(session, messages)}\n`);
    return EXIT.ok;
  });
}

/** A session on one line: ID, time, messages, title. */
export function sessionRow({ id, updated, messageCount, title }: SessionInfo, { t }: Messages): string {
  const shown = printable(title).replaceAll("\n", " ") || t("sessions.untitled");
  return `${id}  ${updated.toISOString().slice(0, 16)}  ${String(messageCount).padStart(4)}  ${shown}`;
}
