// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, type JsonObject, nearest, type Question } from "@blitz/api";
import type { Gate } from "../../approvals/index.js";
import type { ToolCallPart, ToolResultPart } from "../../history/index.js";
import { type ArgumentCheck, createArgumentCheck } from "./arguments.js";
import type { CallContext, Tool, ToolEvent } from "./tool.js";

/** Why a run may only read, as refusals word it (ENG-31). */
export interface ReadOnlyMode {
  /** "plan", or the mode's name. */
  readonly mode: string;
}

/** Puts a question of a call to whoever can answer; rejects when nobody does. */
export type RunAsker = (question: Question, signal: AbortSignal, callId: string) => Promise<Answer>;

/** The run calls belong to. `restriction` is asked before each call: plan mode can begin within a turn (ENG-34). */
export interface CallRun {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agent: string;
  readonly emit: (event: ToolEvent) => void;
  readonly restriction: () => ReadOnlyMode | undefined;
  readonly ask: RunAsker | undefined;
}

/** Where calls and results are noted (AUD-03); `audit`'s log is one. */
export interface CallAudit {
  write(entry: {
    readonly kind: "tool_call" | "tool_result";
    readonly session: string;
    readonly agent: string;
    readonly tool: string;
    readonly args?: JsonObject;
    readonly detail?: string;
    readonly error?: string;
  }): void;
}

/** What running calls needs. */
export interface CallsDeps {
  readonly tools: readonly Tool[];
  readonly gate: Gate;
  readonly audit: CallAudit;
  /** Name of a deny rule that refuses a tool by its name (APR-56). */
  readonly denied: (tool: string) => string | undefined;
}

/** Runs calls of a fixed set of tools. */
export interface Calls {
  /** Settles exactly once with a result the model reads; never rejects (ENG-12, 20, 21). */
  run(call: ToolCallPart, run: CallRun, signal: AbortSignal): Promise<ToolResultPart>;
}

/** Prepares calls of these tools: the order of checks is the same around every one (ENG-20). */
export function createCalls(deps: CallsDeps): Calls {
  const tools = new Map(deps.tools.map((tool) => [tool.name, tool]));
  const checks = new Map<string, ArgumentCheck>();
  const checkOf = (tool: Tool): ArgumentCheck => {
    const known = checks.get(tool.name) ?? createArgumentCheck(tool.schema);
    checks.set(tool.name, known);
    return known;
  };

  return {
    run: async (call, run, signal) => {
      const { id, name, args } = call;
      const about = { session: run.sessionId, agent: run.agent, tool: name };
      deps.audit.write({ kind: "tool_call", ...about, args });
      const refusal = refuse(deps, tools, checkOf, call, run);
      const result = typeof refusal === "string" ? { error: refusal } : await runTool(refusal, deps, call, run, signal);
      const error = errorOf(result);
      deps.audit.write({ kind: "tool_result", ...about, ...(error === undefined ? { detail: "ok" } : { error }) });
      return { type: "toolResult", id, name, result, ...(error === undefined ? {} : { isError: true }) };
    },
  };
}

/** The tool, or why the call isn't run. */
function refuse(
  deps: CallsDeps,
  tools: ReadonlyMap<string, Tool>,
  checkOf: (tool: Tool) => ArgumentCheck,
  call: ToolCallPart,
  run: CallRun,
): Tool | string {
  const tool = tools.get(call.name);
  if (tool === undefined) return unknownTool(call.name, [...tools.keys()]);
  const restriction = run.restriction();
  if (restriction !== undefined && !tool.planAllowed) return readOnlyRefusal(call.name, restriction);
  const rule = deps.denied(call.name);
  if (rule !== undefined) return `${call.name} is refused by the permission rule ${rule}`;
  if (call.invalid !== undefined) return `${call.name} was not run: ${call.invalid}`;
  const problem = checkOf(tool).problem(call.args);
  return problem === undefined ? tool : `${call.name} was not run, its arguments are wrong: ${problem}`;
}

async function runTool(
  tool: Tool,
  deps: CallsDeps,
  call: ToolCallPart,
  run: CallRun,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { ask } = run;
  const by = { agent: run.agent, sessionId: run.sessionId, turnId: run.turnId, callId: call.id };
  const context: CallContext = {
    ...by,
    signal,
    emit: run.emit,
    approve: (request) => deps.gate.decide({ ...request, ...by }, signal),
    ...(ask === undefined ? {} : { ask: (question, waiting) => ask(question, waiting, call.id) }),
  };
  try {
    return await tool.run(call.args, context);
  } catch (error) {
    if (signal.aborted) return { error: "interrupted by the user" };
    return { error: `${call.name} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function errorOf(result: JsonObject): string | undefined {
  const { error } = result;
  return typeof error === "string" && error !== "" ? error : undefined;
}

function unknownTool(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `there is no tool ${name}${near === undefined ? "" : ` (did you mean ${near}?)`}; the tools are: ${known.join(", ")}`;
}

function readOnlyRefusal(name: string, { mode }: ReadOnlyMode): string {
  return mode === "plan"
    ? `plan mode: ${name} is disabled because it could change something. Describe this step in the plan instead.`
    : `${mode} is read-only: ${name} is disabled because it could change something.`;
}
