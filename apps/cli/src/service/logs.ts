// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isActive, type TurnEnd } from "@blitz/api";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { stateOf } from "./agents.js";
import { oneWord } from "./arguments.js";
import { findRun, showPrompt } from "./attach-run.js";
import { follow } from "./follow.js";
import { createTextView } from "./live-view.js";
import { withService } from "./running-service.js";

/** `blitz logs <id> [-f]`: a background run's events so far; `-f` follows it, and ends as it does (CLI-29). */
export async function runLogs(line: Parsed, program: Program): Promise<number> {
  const id = oneWord(line, "background run");
  return await withService(program, async (running) => {
    const { messages, service } = running;
    const run = await findRun(running, id);
    const view = createTextView({ ...program, messages, isAsked: () => false });
    showPrompt(running, program, run);
    if (line.has("follow")) {
      const backend = await running.workspace(run.workspace);
      return await follow({ program, messages, backend, view, terminal: undefined }, { ...run, name: id, run });
    }
    let end: TurnEnd | undefined;
    await service.watchBackground(id, false, {
      signal: program.signal,
      onState: view.state,
      onEvent: (event) => {
        if (event.type === "finished") ({ end } = event);
        else view.event(event);
      },
    });
    const durationMs = run.ended === undefined ? undefined : run.ended.getTime() - run.started.getTime();
    if (end !== undefined) await view.end({ end, exitCode: EXIT.ok, durationMs });
    const now = isActive(run) ? "logs.active" : "logs.ended";
    const words = { id, state: stateOf(run, messages), session: run.sessionId };
    program.stderr.write(`${printable(messages.t(now, words))}\n`);
    return program.signal.aborted ? EXIT.interrupted : EXIT.ok;
  });
}
