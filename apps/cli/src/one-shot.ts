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
import { type LoadedConfig, loadConfig } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import type { Parsed } from "./command-line.js";
import { attachWhenServed, mayBeServed } from "./attach.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { openLocal, preloadEngine } from "./open-backend.js";
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

/** The interface's words; loaded when the first one is needed, which is after the model was asked. */
export type Words = () => Promise<Messages>;

function createWords(program: Program, { format }: RunOptions, settings?: WordSettings): Words {
  let loading: Promise<Messages> | undefined;
  return async () => {
    // What a program reads has no translated text (I18N-31).
    loading ??=
      format === "text"
        ? openWords(program, settings)
        : import("@blitz/i18n").then(({ loadMessages, EN_US }) => loadMessages("en-US", [EN_US]));
    return await loading;
  };
}

/** What the command line asks for. */
export interface Asked {
  readonly program: Program;
  readonly options: RunOptions;
  readonly prompt: ResolvedPrompt;
  readonly messages: Words;
}

/** What opening the workspace takes. */
export interface Opening extends Omit<Asked, "prompt"> {
  readonly loaded: LoadedConfig;
}

interface Run extends Asked {
  readonly loaded: LoadedConfig;
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
    result = await (isAttached ? untilHungUp(turn, signal) : turn);
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

/** The settings, with what the command line overrides (CLI-11). */
export async function settings(program: Program, options: RunOptions): Promise<LoadedConfig> {
  const env = {
    ...program.env,
    ...(options.model === undefined ? {} : { BLITZ_MODEL: options.model }),
    ...(options.agent === undefined ? {} : { BLITZ_AGENT: options.agent }),
  };
  return await loadConfig({ dir: program.configDir, workspace: program.dir, home: program.home, env });
}

/** The signal without the terminal's end: that only leaves the turn, it doesn't cancel it (CLI-19). */
function unlessHungUp(signal: AbortSignal): AbortSignal {
  const cancel = new AbortController();
  const onAbort = (): void => {
    if (!(signal.reason instanceof HungUp)) cancel.abort(signal.reason);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return cancel.signal;
}

/** The turn's result; rejects at the terminal's end, while the turn goes on in the service. */
async function untilHungUp<T>(turn: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => signal.reason instanceof HungUp && left.reject(signal.reason), { once: true });
  turn.catch(() => undefined); // nobody waits for it after leaving
  return await Promise.race([turn, left.promise]);
}

/** The workspace: in the service when one answers, else in this process (CLI-14). */
export async function openFor(run: Opening): Promise<{ readonly backend: Backend; readonly isAttached: boolean }> {
  const { program, options } = run;
  const served = options.local ? undefined : await attachWhenServed(program);
  if (served !== undefined) {
    await applyOptions(run, served);
    return { backend: served, isAttached: true };
  }
  const backend = await openLocal({
    dir: program.dir,
    home: program.home,
    config: run.loaded.config,
    env: program.env,
    warn: (message) => program.stderr.write(`blitz: ${printable(message)}\n`),
    allow: options.allow,
    deny: options.deny,
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
  });
  return { backend, isAttached: false };
}

/** What the command line sets is the workspace's in the service, for every client of it; so it is said. */
async function applyOptions({ options, program, messages }: Omit<Asked, "prompt">, backend: Backend): Promise<void> {
  const { model, agent, permissionMode, allow, deny, format } = options;
  if (model !== undefined) await backend.setModel(model);
  if (agent !== undefined) await backend.setAgent(agent);
  if (permissionMode !== undefined) await backend.setPermissionMode(permissionMode);
  for (const rule of deny) await backend.addPermissionRule("deny", rule);
  for (const rule of allow) await backend.addPermissionRule("allow", rule);
  if (format !== "text") return;
  const { t } = await messages();
  const isChanged = [model, agent, permissionMode].some((one) => one !== undefined) || allow.length + deny.length > 0;
  if (options.background && !isChanged) return;
  program.stderr.write(`${printable(t(isChanged ? "attach.changed" : "attach.done"))}\n`);
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

async function warnElsewhere({ program, messages }: Run, session: SessionInfo, dir: string): Promise<void> {
  if (session.workspace === dir) return;
  const { t } = await messages();
  program.stderr.write(`${printable(t("session.elsewhere", { workspace: session.workspace }))}\n`);
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

/** An error in the interface's language, where the catalog has its reason (I18N-22). */
async function worded(error: unknown, exitCode: number, messages: Words, isAttached: boolean): Promise<string> {
  if (exitCode === EXIT.interrupted) return "interrupted";
  const text = messageOf(error);
  if (!isReason(error)) return text;
  const { t, has } = await messages();
  if (isReason(error, "MODEL_UNAVAILABLE") && error.metadata["model"] === "")
    return isAttached ? `${t("provider.none")}\n${t("attach.shell_keys")}` : t("provider.none");
  const key = `error.${error.reason}`;
  return has(key) ? t(key, { ...error.metadata, message: text }) : text;
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
