// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type BackgroundRun, isActive } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import type { Program } from "../program.js";
import { noWords } from "./arguments.js";
import { withService } from "./running-service.js";
import { briefDuration, homeRelative, renderTable, shortened } from "./table.js";

/** How much of a prompt the list shows, in characters. */
const PROMPT_LENGTH: number = 50;

/** `blitz agents`: the background runs that go on or wait, newest first; `--all` the ended ones too (CLI-29). */
export async function runAgents(line: Parsed, program: Program): Promise<number> {
  noWords(line);
  return await withService(program, async ({ service, messages }) => {
    const runs = await service.listBackground();
    const shown = line.has("all") ? runs : runs.filter(isActive);
    if (shown.length > 0) program.stdout.write(runTable(shown, { messages, home: program.home, now: new Date() }));
    else program.stderr.write(`${messages.t(runs.length > 0 ? "agents.none_active" : "agents.none")}\n`);
    return EXIT.ok;
  });
}

/** What the table of runs is made with. */
export interface RunTableContext {
  readonly messages: Messages;
  readonly home: string;
  readonly now: Date;
}

/** The runs as a table. AGE is how long a run takes, or took; COST is `-` until there is one. */
export function runTable(runs: readonly BackgroundRun[], { messages, home, now }: RunTableContext): string {
  const titles = ["id", "state", "age", "cost", "workspace", "prompt"].map((name) => messages.t(`agents.${name}`));
  const rows = runs.map((run) => [
    run.id,
    stateOf(run, messages),
    briefDuration((run.ended ?? now).getTime() - run.started.getTime()),
    run.costUsd > 0 ? `$${run.costUsd.toFixed(4)}` : "-",
    homeRelative(run.workspace, home),
    shortened(run.prompt, PROMPT_LENGTH),
  ]);
  return renderTable(titles, rows);
}

/** A run's state in words. */
export function stateOf(run: Pick<BackgroundRun, "state" | "waiting">, { t }: Messages): string {
  return t(`agents.state.${run.state}`, { count: run.waiting });
}
