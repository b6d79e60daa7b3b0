// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turn } from "@blitz/api";
import { parseDuration } from "@blitz/config";
import type { Parsed } from "./command-line.js";
import { usage } from "./command-line.js";

/** A one-shot run as the command line asks for it. */
export interface RunOptions {
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly agency: string | undefined;
  /** Over every model's own (MDL-74). */
  readonly effort: string | undefined;
  readonly permissionMode: string | undefined;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** A session's ID or "latest"; "" = a new session. */
  readonly resume: string;
  readonly continueLatest: boolean;
  readonly name: string | undefined;
  readonly format: "text" | "json" | "stream-json";
  /** `stream-json`: prompts and answers are lines of standard input (CLI-26). */
  readonly input: "text" | "stream-json";
  /** A JSON Schema, or the file of one, that the answer's JSON must fit (CLI-27). */
  readonly jsonSchema: string | undefined;
  readonly plan: boolean;
  /** In this process even if the service runs. */
  readonly local: boolean;
  /** In the service, without waiting for it. */
  readonly background: boolean;
  readonly maxTurns: number | undefined;
  readonly maxCostUsd: number | undefined;
  readonly timeoutMs: number | undefined;
}

/** @throws UsageError for limits that aren't numbers, and flags that exclude each other (CLI-06) */
export function runOptionsOf(line: Parsed): RunOptions {
  const resume = line.text("resume");
  const resumes = resume !== undefined || line.has("continue");
  if (resume !== undefined && resume !== "latest" && line.has("continue"))
    throw usage(line.command, "--continue and --resume=ID exclude each other");
  if (line.has("name") && resumes)
    throw usage(line.command, "--name titles a new session; it can't be given with --resume or --continue");
  if (line.has("bg")) refuseInBackground(line, resumes);
  if (line.text("input-format") === "stream-json" && line.text("output-format") !== "stream-json")
    throw usage(line.command, "--input-format stream-json needs --output-format stream-json");
  return {
    agent: line.text("agent"),
    model: line.text("model"),
    agency: line.text("agency"),
    effort: line.text("effort"),
    permissionMode: line.text("permission-mode"),
    allow: line.texts("allow"),
    deny: line.texts("deny"),
    resume: resume ?? "",
    continueLatest: line.has("continue"),
    name: line.text("name"),
    format: (line.text("output-format") ?? "text") as RunOptions["format"],
    input: (line.text("input-format") ?? "text") as RunOptions["input"],
    jsonSchema: line.text("json-schema"),
    plan: line.has("plan"),
    local: line.has("local"),
    background: line.has("bg"),
    maxTurns: limit(line, "max-turns", wholeNumber),
    maxCostUsd: limit(line, "max-cost-usd", amount),
    timeoutMs: limit(line, "timeout", parseDuration),
  };
}

/** What a run nobody waits for can't have: it is in the service, in a new session, and prints its ID. */
function refuseInBackground(line: Parsed, resumes: boolean): void {
  const flag = ["local", "name", "json-schema"].find((one) => line.has(one));
  if (flag !== undefined) throw usage(line.command, `--bg and --${flag} exclude each other`);
  if (resumes)
    throw usage(line.command, "--bg runs in a session of its own; it can't be given with --resume or --continue");
  if ((line.text("output-format") ?? "text") !== "text")
    throw usage(line.command, "--bg prints the run's ID only: --output-format must be text");
  if (line.text("input-format") === "stream-json")
    throw usage(line.command, "--bg runs one prompt: --input-format must be text");
}

/** What goes with a single prompt only. @throws UsageError (CLI-06) */
export function refuseInteractive(line: Parsed): void {
  const flag = ["bg", "plan", "json-schema", "max-turns", "max-cost-usd", "timeout"].find((one) => line.has(one));
  if (flag !== undefined)
    throw usage(line.command, `--${flag} needs a prompt, and goes with one prompt only, not a session`);
  if ((line.text("output-format") ?? "text") !== "text")
    throw usage(line.command, "--output-format goes with one prompt only: a session prints text");
  if (line.text("input-format") === "stream-json")
    throw usage(line.command, "--input-format stream-json is read by a program's run, not by a session");
}

/** A prompt as the command line wants it run. `canAsk`: somebody answers what the turn asks (CLI-16). */
export function turnOf({ plan, maxTurns, maxCostUsd, timeoutMs }: RunOptions, text: string, canAsk: boolean): Turn {
  return {
    text,
    ...(canAsk ? {} : { onRequest: "deny" as const }),
    ...(plan ? { plan: true } : {}),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** A limit, `undefined` when not given or 0. */
function limit(line: Parsed, flag: string, parse: (text: string) => number | undefined): number | undefined {
  const text = line.text(flag);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw usage(line.command, `--${flag} can't be "${text}"`);
  return value === 0 ? undefined : value;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function amount(text: string): number | undefined {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}
