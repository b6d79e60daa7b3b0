// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend, Turn } from "@blitz/api";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { withService } from "./running-service.js";

/**
 * `--bg`: starts a turn in the service, in a session of its own, and leaves it (CLI-29, SVC-24).
 *
 * @param prepare - what the command line sets in the workspace before
 * @throws ApiError `SERVICE_UNAVAILABLE` when the service isn't running
 */
export async function startBackground(
  program: Program,
  turn: Turn,
  prepare: (workspace: Backend) => Promise<void>,
): Promise<number> {
  return await withService(program, async ({ service, messages, workspace }) => {
    await prepare(await workspace(program.dir));
    const run = await service.startBackground(program.dir, turn);
    const words = { id: run.id, workspace: run.workspace, session: run.sessionId };
    program.stdout.write(`${printable(messages.t("background.started", words))}\n`);
    return EXIT.ok;
  });
}
