// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Parsed } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import { withBackend } from "./with-backend.js";

/** `blitz sessions`: this workspace's sessions, newest first, one a line: ID, time, messages, title. */
export async function runSessions(line: Parsed, program: Program): Promise<number> {
  return await withBackend(program, line.has("local"), async (backend, { t }) => {
    const sessions = await backend.listSessions(line.has("all"));
    if (sessions.length === 0) program.stderr.write(`${t("sessions.none")}\n`);
    for (const session of sessions) {
      const title = printable(session.title).replaceAll("\n", " ") || t("sessions.untitled");
      const time = session.updated.toISOString().slice(0, 16);
      program.stdout.write(`${session.id}  ${time}  ${String(session.messageCount).padStart(4)}  ${title}\n`);
    }
    return EXIT.ok;
  });
}
