// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, type ModelInfo, NO_USAGE, type SessionInfo } from "@blitz/api";
import type { AnswerSchema } from "./answer-schema/answer-schema.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { failureText } from "./failure-text.js";
import { openFor, type Opening, warnElsewhere } from "./opening.js";
import { printable } from "./output/output.js";
import type { Printer } from "./output/printer.js";
import { OutputClosed } from "./program.js";

/** A run without a person's session, as its parts see it. */
export interface Run extends Opening {
  readonly printer: Printer;
  /** What the answer's JSON must fit (CLI-27). */
  readonly schema?: AnswerSchema;
  /** By `performance.now()`: what the result's duration counts from. */
  readonly started: number;
}

/** Where a run's turns go. */
export interface Place {
  readonly backend: Backend;
  readonly isAttached: boolean;
  readonly session: SessionInfo;
  readonly model: ModelInfo;
  readonly agent: string;
}

/**
 * Opens workspace and session for the work, and closes them whatever happens. A run that can't begin ends
 * with a result too.
 *
 * @throws UsageError and its like for a command line that never became a run: it is told like any other (CLI-18)
 */
export async function inPlace(run: Run, work: (place: Place) => Promise<number>): Promise<number> {
  let place: Place;
  try {
    place = await openPlace(run);
  } catch (error) {
    return await endEarly(run, error);
  }
  try {
    return await work(place);
  } finally {
    await place.backend.close();
  }
}

async function openPlace(run: Run): Promise<Place> {
  const { options } = run;
  const { backend, isAttached } = await openFor(run);
  try {
    const { session } = await backend.openSession(options.resume, options.continueLatest);
    await warnElsewhere(run, session, backend.dir);
    if (options.name !== undefined) await backend.renameSession(options.name);
    const [model, agent] = await Promise.all([backend.model(), backend.activeAgent()]);
    if (!isAttached) await tellProvider(run, model);
    return { backend, isAttached, session, model, agent: agent.name };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

async function endEarly({ program, printer, messages, started }: Run, error: unknown): Promise<number> {
  if (program.signal.reason instanceof OutputClosed) return EXIT.ok;
  const exitCode = exitCodeOf(error, program.signal.aborted);
  if (exitCode === EXIT.usage) throw error;
  await printer.end({
    exitCode,
    answer: "",
    durationMs: performance.now() - started,
    usage: NO_USAGE,
    error: await failureText(error, { exitCode, messages, isAttached: false }),
  });
  return exitCode;
}

/** With no provider configured, says which one was found (BEY-02). */
async function tellProvider({ loaded, options, messages, program }: Run, { provider, name }: ModelInfo): Promise<void> {
  const { llm, blitz } = loaded.config;
  if (options.format !== "text" || llm.provider !== "" || provider === "" || blitz.default_model.includes("/")) return;
  const { t } = await messages();
  const source = t(provider === "ollama" ? "provider.source.ollama" : "provider.source.key");
  program.stderr.write(`${printable(t("provider.found", { model: `${provider}/${name}`, source }))}\n`);
}
