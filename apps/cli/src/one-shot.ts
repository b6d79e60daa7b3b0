// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isatty } from "node:tty";
import {
  type Backend,
  isReason,
  type ModelInfo,
  NO_USAGE,
  type SessionInfo,
  type TurnEvent,
  type TurnResult,
} from "@blitz/api";
import type { Parsed } from "./command-line.js";
import { mayBeServed } from "./attach.js";
import { errorText } from "./error-text.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { unlessHungUp, untilLeft } from "./leaving.js";
import { preloadEngine } from "./open-backend.js";
import { applyOptions, openFor, type Opening, type Reaching, settings, warnElsewhere, type Words } from "./opening.js";
import { createJsonPrinter, createStreamJsonPrinter } from "./output/json-printer.js";
import { printable } from "./output/output.js";
import { deferPrinter, type Printer } from "./output/printer.js";
import { findPerson, type Person } from "./person.js";
import { HungUp, messageOf, OutputClosed, type Program } from "./program.js";
import { type ResolvedPrompt, resolvePrompt } from "./prompt.js";
import { type RunOptions, runOptionsOf } from "./run-options.js";
import { openWords, type WordSettings } from "./words.js";

/** Runs one prompt and prints it; the exit code (20). */
export async function runOneShot(line: Parsed, program: Program): Promise<number> {
  const options = runOptionsOf(line);
  const prompt = await resolvePrompt(line, {
    isTty: isatty(0),
    read: () => readAll(program.stdin()),
  });
  if (options.background)
    return await runInBackground({ program, options, prompt, messages: createWords(program, options) });
  if (line.has("local") || !mayBeServed(program)) preloadEngine();
  const loaded = await settings(program, options);
  for (const warning of loaded.warnings) program.stderr.write(`blitz: ${printable(warning)}\n`);
  const messages = createWords(program, options, loaded);
  const printer = printerOf(program, options, messages);
  return await runTurn({ program, options, prompt, loaded, messages, printer });
}

/** `--bg`: the service runs it, and nobody here waits for it (CLI-29). */
async function runInBackground(run: Asked): Promise<number> {
  const { startBackground } = await import("./service/start-background.js");
  return await startBackground(run.program, turnOf(run, true), (workspace) => applyOptions(run, workspace));
}

/** Loaded when the first one is needed, which is after the model was asked. */
function createWords(program: Program, { format }: RunOptions, settings?: WordSettings): Words {
  let loading: ReturnType<Words> | undefined;
  return async () => {
    // What a program reads has no translated text (I18N-31).
    loading ??=
      format === "text"
        ? openWords(program, settings)
        : import("@blitz/i18n").then(({ loadMessages, EN_US }) => loadMessages("en-US", [EN_US]));
    return await loading;
  };
}

/** A run in the background: the workspace is the service's. */
interface Asked extends Reaching {
  readonly prompt: ResolvedPrompt;
}

interface Run extends Opening {
  readonly prompt: ResolvedPrompt;
  readonly printer: Printer;
}

async function runTurn(run: Run): Promise<number> {
  const { program, options, printer } = run;
  const started = performance.now();
  const cancel = new AbortController();
  const signal = AbortSignal.any([program.signal, cancel.signal]);
  const spoken = createAnswer();
  let backend: Backend | undefined;
  let session: SessionInfo | undefined;
  let result: TurnResult | undefined;
  let failure: unknown;
  let isAttached = false;
  try {
    const found = await openFor(run);
    ({ backend, isAttached } = found);
    const opened = await backend.openSession(options.resume, options.continueLatest);
    session = opened.session;
    await warnElsewhere(run, opened.session, backend.dir);
    if (options.name !== undefined) await backend.renameSession(options.name);
    const person = personAt(run, cancel);
    backend.setUi(person?.ui);
    const [model, agent] = await Promise.all([backend.model(), backend.activeAgent()]);
    if (!isAttached) await tellProvider(run, model);
    const { id } = session;
    const turn = backend.run(id, turnOf(run, person !== undefined), {
      signal: isAttached ? unlessHungUp(signal) : signal,
      ...(person === undefined ? {} : { onLive: person.onLive }),
      onAccepted: () => printer.accepted(opened.session, `${model.provider}/${model.name}`, agent.name),
      onEvent: (event) => {
        spoken.add(event);
        printer.event(event);
      },
    });
    result = await (isAttached ? untilLeft(turn, signal, (reason) => reason instanceof HungUp) : turn);
  } catch (error) {
    failure = error;
  }
  if (program.signal.reason instanceof OutputClosed) failure = undefined;
  const exitCode = failure === undefined ? EXIT.ok : exitCodeOf(failure, signal.aborted);
  // A command line that never became a run is told like any other usage error (CLI-18).
  if (session === undefined && failure !== undefined && exitCode === EXIT.usage) {
    await backend?.close();
    throw asError(failure);
  }
  const usage = result?.after ?? (await backend?.usage().catch(() => NO_USAGE)) ?? NO_USAGE;
  const error = failure === undefined ? {} : { error: await worded(failure, exitCode, run.messages, isAttached) };
  await printer.end({
    exitCode,
    answer: result?.output ?? spoken.text(),
    durationMs: performance.now() - started,
    usage,
    ...error,
  });
  await backend?.close();
  return exitCode;
}

function turnOf({ prompt, options }: Asked, canAsk: boolean): Parameters<Backend["run"]>[1] {
  return {
    text: prompt.text,
    ...(canAsk ? {} : { onRequest: "deny" as const }),
    ...(options.plan ? { plan: true } : {}),
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
    ...(options.maxCostUsd === undefined ? {} : { maxCostUsd: options.maxCostUsd }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  };
}

function printerOf({ stdout, stderr }: Program, { format }: RunOptions, messages: Words): Printer {
  switch (format) {
    case "json":
      return createJsonPrinter(stdout);
    case "stream-json":
      return createStreamJsonPrinter(stdout);
    case "text":
      return deferPrinter(async () => {
        const { createTextPrinter } = await import("./output/text-printer.js");
        return createTextPrinter(stdout, stderr, await messages());
      });
    default:
      return format satisfies never;
  }
}

function personAt({ program, messages, prompt, options, loaded }: Run, cancel: AbortController): Person | undefined {
  return findPerson({
    program,
    isText: options.format === "text",
    inputUsed: prompt.fromStdin,
    words: messages,
    diffLines: loaded.config.ui.diff_lines,
    cancel: () => cancel.abort(new DOMException("interrupted", "AbortError")),
  });
}

/** With no provider configured, says which one was found (BEY-02). */
async function tellProvider({ loaded, options, messages, program }: Run, { provider, name }: ModelInfo): Promise<void> {
  const { llm, blitz } = loaded.config;
  if (options.format !== "text" || llm.provider !== "" || provider === "" || blitz.default_model.includes("/")) return;
  const { t } = await messages();
  const source = t(provider === "ollama" ? "provider.source.ollama" : "provider.source.key");
  program.stderr.write(`${printable(t("provider.found", { model: `${provider}/${name}`, source }))}\n`);
}

/** The answer so far, for a run that fails: text after the last tool call. */
function createAnswer(): { readonly add: (event: TurnEvent) => void; readonly text: () => string } {
  let pieces: string[] = [];
  return {
    add: (event) => {
      if (event.type === "tool_call") pieces = [];
      if (event.type === "text" && !event.thought && !event.repeat) pieces.push(event.text);
    },
    text: () => pieces.join(""),
  };
}

/** An error in the interface's language, with what only a run can say of it. */
async function worded(error: unknown, exitCode: number, messages: Words, isAttached: boolean): Promise<string> {
  if (exitCode === EXIT.interrupted) return "interrupted";
  if (!isReason(error)) return messageOf(error);
  const words = await messages();
  const isBare = isReason(error, "MODEL_UNAVAILABLE") && error.metadata["model"] === "";
  return isBare && isAttached
    ? `${words.t("provider.none")}\n${words.t("attach.shell_keys")}`
    : errorText(error, words);
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}

async function readAll(stream: NodeJS.ReadStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > 10 * 1024 * 1024) break; // refused by the caller: over the limit already
  }
  return Buffer.concat(chunks);
}
