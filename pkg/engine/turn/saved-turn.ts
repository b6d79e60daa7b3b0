// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject, Request, Turn, Usage } from "@blitz/api";
import type { ToolCallPart, ToolResultPart } from "../history/index.js";
import type { SavedRequest } from "../requests/index.js";

/** Where a call of a waiting turn is. `running` may have had its effect: it is never run again (ENG-104). */
export type CallState = "done" | "running" | "queued";

/** A call of the batch a turn waits in. */
export interface SavedCall {
  readonly call: ToolCallPart;
  readonly state: CallState;
  readonly result?: ToolResultPart;
}

/** A turn that waits for a person, as `<id>.turn.json` keeps it (SES-26). */
export interface SavedTurn {
  readonly turnId: string;
  readonly agent: string;
  /** The client that sent it. */
  readonly by: string;
  readonly started: Date;
  readonly turn: Turn;
  readonly planning: boolean;
  /** The prompt's index in the transcript. */
  readonly prompt: number;
  /** The session's usage before the turn. */
  readonly before: Usage;
  /** Model calls made, money spent, and time taken so far. */
  readonly spent: { readonly calls: number; readonly costUsd: number; readonly elapsedMs: number };
  /** Answers of the runs before this one, in a turn that carries out a plan. */
  readonly outputs: readonly string[];
  /** Steering messages no result has carried yet. */
  readonly steering: readonly string[];
  /** The number of its last live event. */
  readonly lastEvent: number;
  readonly calls: readonly SavedCall[];
  readonly requests: readonly SavedRequest[];
}

/** The text of the file. */
export function formatSavedTurn(saved: SavedTurn): string {
  return `${JSON.stringify({ v: 1, ...saved })}\n`;
}

/** Reads the file; `undefined` when it can't be a turn of this version. */
export function parseSavedTurn(text: string): SavedTurn | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const {
    turnId,
    agent,
    by,
    started,
    turn,
    planning,
    prompt,
    before,
    spent,
    outputs,
    steering,
    lastEvent,
    calls,
    requests,
  } = value;
  if (!isText(turnId) || !isText(agent) || !isText(by) || !isText(started) || !isObject(turn) || !isText(turn["text"]))
    return undefined;
  if (
    !isObject(before) ||
    !isObject(spent) ||
    !isList(outputs, isText) ||
    !isList(steering, isText) ||
    !isCount(lastEvent) ||
    !isCount(prompt)
  )
    return undefined;
  if (!isList(calls, isCall) || !isList(requests, isSavedRequest)) return undefined;
  return {
    turnId,
    agent,
    by,
    started: new Date(started),
    turn: turn as unknown as Turn,
    planning: planning === true,
    prompt,
    before: before as unknown as Usage,
    spent: { calls: Number(spent["calls"]), costUsd: Number(spent["costUsd"]), elapsedMs: Number(spent["elapsedMs"]) },
    outputs,
    steering,
    lastEvent,
    calls,
    requests: requests.map(({ request, ...rest }) => ({ ...rest, request: withDates(request) })),
  };
}

function withDates(request: Request): Request {
  const { created, expires } = request;
  return {
    ...request,
    created: new Date(created),
    ...(expires === undefined ? {} : { expires: new Date(expires) }),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isList<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne);
}

function isCall(value: unknown): value is SavedCall {
  if (!isObject(value) || !isObject(value["call"])) return false;
  const { call, state, result } = value;
  if (!isText(call["id"]) || !isText(call["name"]) || !isObject(call["args"])) return false;
  return state === "done" ? isObject(result) : state === "running" || state === "queued";
}

function isSavedRequest(value: unknown): value is SavedRequest {
  if (!isObject(value) || !isObject(value["request"]) || !isText(value["callId"])) return false;
  const { request, settled } = value;
  if (!isText(request["id"]) || !isText(request["created"])) return false;
  if (!isObject(request["approval"]) && !isObject(request["question"])) return false;
  return settled === undefined || (isObject(settled) && isSettled(settled));
}

function isSettled(settled: JsonObject): boolean {
  return settled["outcome"] === "answered" ? settled["answer"] !== undefined : isText(settled["outcome"]);
}
