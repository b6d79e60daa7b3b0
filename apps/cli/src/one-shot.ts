// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isatty } from "node:tty";
import { type Parsed, usage } from "./command-line.js";
import { mayBeServed } from "./attach.js";
import { preloadEngine } from "./open-backend.js";
import { applyOptions, type Reaching, settings, type Words } from "./opening.js";
import { createJsonPrinter, createStreamJsonPrinter } from "./output/json-printer.js";
import { printable } from "./output/output.js";
import { deferPrinter, type Printer } from "./output/printer.js";
import { findPerson, type Person } from "./person.js";
import type { Program } from "./program.js";
import { givenPrompt, type ResolvedPrompt, resolvePrompt } from "./prompt.js";
import { inPlace, type Run } from "./run-place.js";
import { type RunOptions, runOptionsOf, turnOf } from "./run-options.js";
import { runTurn } from "./run-turn.js";
import { openWords, type WordSettings } from "./words.js";

/** Runs one prompt, or those of a stream, and prints them; the exit code (20). */
export async function runOneShot(line: Parsed, program: Program): Promise<number> {
  const options = runOptionsOf(line);
  if (options.input === "stream-json") {
    const first = givenPrompt(line);
    const { runStream } = await import("./stream-input/run-stream.js");
    return await runStream(await beginRun(program, options), first);
  }
  const prompt = await resolvePrompt(line, {
    isTty: isatty(0),
    read: () => readAll(program.stdin()),
  });
  return await runPrompt(options, program, prompt);
}

/** `blitz init`: the agent writes the instruction file, or brings it up to date (MEM-22). */
export async function runInit(line: Parsed, program: Program): Promise<number> {
  if (line.words.length > 0) throw usage(line.command, "init takes no words");
  return await runPrompt(runOptionsOf(line), program, { text: "/init", fromStdin: false });
}

async function runPrompt(options: RunOptions, program: Program, prompt: ResolvedPrompt): Promise<number> {
  if (options.background)
    return await runInBackground({ program, options, messages: createWords(program, options) }, prompt.text);
  return await runTurnOf(await beginRun(program, options), prompt);
}

async function beginRun(program: Program, options: RunOptions): Promise<Run> {
  const started = performance.now();
  if (options.local || !mayBeServed(program)) preloadEngine();
  const loaded = await settings(program, options);
  for (const warning of loaded.warnings) program.stderr.write(`blitz: ${printable(warning)}\n`);
  const messages = createWords(program, options, loaded);
  const printer = printerOf(program, options, messages);
  const run: Run = { program, options, loaded, messages, printer, started };
  if (options.jsonSchema === undefined) return run;
  const { loadAnswerSchema } = await import("./answer-schema/answer-schema.js");
  return { ...run, schema: await loadAnswerSchema(options.jsonSchema, program.cwd) };
}

/** `--bg`: the service runs it, and nobody here waits for it (CLI-29). */
async function runInBackground(asked: Reaching, prompt: string): Promise<number> {
  const { startBackground } = await import("./service/start-background.js");
  const turn = turnOf(asked.options, prompt, true);
  return await startBackground(asked.program, turn, (workspace) => applyOptions(asked, workspace));
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

async function runTurnOf(run: Run, prompt: ResolvedPrompt): Promise<number> {
  return await inPlace(run, async (place) => {
    const cancel = new AbortController();
    const person = personAt(run, prompt, cancel);
    place.backend.setUi(person?.ui);
    const { exitCode } = await runTurn(run, place, turnOf(run.options, prompt.text, person !== undefined), {
      signal: AbortSignal.any([run.program.signal, cancel.signal]),
      ...(person === undefined ? {} : { onLive: person.onLive }),
    });
    return exitCode;
  });
}

function printerOf({ stdout, stderr }: Program, { format, jsonSchema }: RunOptions, messages: Words): Printer {
  switch (format) {
    case "json":
      return createJsonPrinter(stdout);
    case "stream-json":
      return createStreamJsonPrinter(stdout);
    case "text":
      return deferPrinter(async () => {
        const { createTextPrinter } = await import("./output/text-printer.js");
        const printer = createTextPrinter(stdout, stderr, await messages());
        if (jsonSchema === undefined) return printer;
        const { createValuePrinter } = await import("./answer-schema/value-printer.js");
        return createValuePrinter(stdout, printer);
      });
    default:
      return format satisfies never;
  }
}

function personAt(
  { program, messages, options, loaded }: Run,
  prompt: ResolvedPrompt,
  cancel: AbortController,
): Person | undefined {
  return findPerson({
    program,
    isText: options.format === "text",
    inputUsed: prompt.fromStdin,
    words: messages,
    diffLines: loaded.config.ui.diff_lines,
    cancel: () => cancel.abort(new DOMException("interrupted", "AbortError")),
  });
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
