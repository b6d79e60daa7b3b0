// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { stateOf } from "./agents.js";
import { oneWord } from "./arguments.js";
import { withService } from "./running-service.js";
import { briefDuration } from "./table.js";

/** `blitz stop <id>`: stops a background run; says how it ended and how to go on in its session (CLI-29). */
export async function runStop(line: Parsed, program: Program): Promise<number> {
  const id = oneWord(line, "background run");
  return await withService(program, async ({ service, messages }) => {
    const run = await service.stopBackground(id);
    const words = {
      id: run.id,
      state: stateOf(run, messages),
      duration: briefDuration((run.ended ?? new Date()).getTime() - run.started.getTime()),
      session: run.sessionId,
      workspace: run.workspace,
    };
    const resume = run.workspace === program.dir ? "stop.resume" : "stop.resume_elsewhere";
    program.stdout.write(`${printable(`${messages.t("stop.done", words)}\n${messages.t(resume, words)}`)}\n`);
    return EXIT.ok;
  });
}
