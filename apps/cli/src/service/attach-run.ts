// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath } from "node:fs/promises";
import type { BackgroundRun, SessionInfo } from "@blitz/api";
import type { Parsed } from "../command-line.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { UsageError } from "../usage-error.js";
import { oneWord } from "./arguments.js";
import { follow, type Followed } from "./follow.js";
import { createStreamJsonView, createTextView, type LiveView } from "./live-view.js";
import { type RunningService, withService } from "./running-service.js";
import { openTerminal, type Terminal } from "./terminal.js";

/** A run or a session to follow, and where it is. */
interface Target extends Followed {
  readonly workspace: string;
  readonly info: SessionInfo;
}

/**
 * `blitz attach <id>`: follows a background run, or a session of the workspace, live; at a terminal it
 * answers what is asked (CLI-29, CL-22).
 */
export async function runAttach(line: Parsed, program: Program): Promise<number> {
  const id = oneWord(line, "background run or session");
  const isJson = line.text("output-format") === "stream-json";
  return await withService(program, async (running) => {
    const { messages } = running;
    const target = await targetOf(running, program, id);
    if (target.run === undefined && target.info.workspace !== target.workspace)
      program.stderr.write(`${printable(messages.t("session.elsewhere", { workspace: target.info.workspace }))}\n`);
    const backend = await running.workspace(target.workspace);
    const terminal = isJson ? undefined : await openTerminal(program, messages);
    const view = isJson
      ? await jsonView(running, program, target)
      : createTextView({ ...program, messages, isAsked: (asked) => isAsked(terminal, asked) });
    if (!isJson && target.run !== undefined) showPrompt(running, program, target.run);
    return await follow({ program, messages, backend, view, terminal }, target);
  });
}

function isAsked(terminal: Terminal | undefined, id: string): boolean {
  return terminal?.prompts.isAsked(id) === true;
}

/** The run's prompt, as far as the list has it. */
export function showPrompt({ messages }: RunningService, program: Program, run: BackgroundRun): void {
  program.stderr.write(`${printable(messages.t("follow.prompt", { name: run.id, prompt: run.prompt }))}\n`);
}

async function targetOf(running: RunningService, program: Program, id: string): Promise<Target> {
  if (!id.startsWith("session-")) {
    const run = await findRun(running, id);
    const { workspace, sessionId, prompt, started } = run;
    const info: SessionInfo = {
      id: sessionId,
      title: prompt,
      agent: "",
      workspace,
      origin: "background",
      messageCount: 0,
      created: started,
      updated: started,
    };
    return { name: id, sessionId, run, workspace, info };
  }
  const backend = await running.workspace(program.dir);
  const info = (await backend.listSessions(true)).find((session) => session.id === id);
  if (info === undefined) throw new UsageError(`there is no session ${id}; blitz sessions lists them`);
  return { name: id, sessionId: id, workspace: await realpath(program.dir), info };
}

/** @throws UsageError for an ID the service doesn't list */
export async function findRun({ service }: RunningService, id: string): Promise<BackgroundRun> {
  const run = (await service.listBackground()).find((one) => one.id === id);
  if (run === undefined) throw new UsageError(`there is no background run ${id}; blitz agents --all lists them`);
  return run;
}

async function jsonView(running: RunningService, program: Program, target: Target): Promise<LiveView> {
  const backend = await running.workspace(target.workspace);
  const [model, agent] = await Promise.all([backend.model(), backend.activeAgent()]);
  const session = { info: target.info, model: `${model.provider}/${model.name}`, agent: agent.name };
  return createStreamJsonView(program.stdout, session);
}
