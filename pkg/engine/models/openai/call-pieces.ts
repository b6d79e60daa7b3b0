// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";

/** A call as it stands so far. */
export interface PendingCall {
  id: string;
  name: string;
  readonly args: string[];
}

/** Puts the pieces of a stream's tool calls together. */
export interface CallPieces {
  /** Takes a piece; returns the call it belongs to and the text it added. */
  take(piece: JsonObject): { readonly call: PendingCall; readonly argsText: string };
  readonly calls: readonly PendingCall[];
}

/**
 * Compatible servers number and name the pieces of calls in every way but the documented one
 * (T-STR-2): one index for all, none, no ids, the id on every piece, the name late, the arguments as
 * an object. An index or id says which call a piece belongs to; a new id, or a name after complete
 * arguments, begins another; without any of these a piece goes on with the last call.
 */
export function createCallPieces(): CallPieces {
  const calls: PendingCall[] = [];
  const byIndex = new Map<number, PendingCall>();
  const begin = (index: number | undefined): PendingCall => {
    const call: PendingCall = { id: "", name: "", args: [] };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };
  const take: CallPieces["take"] = (piece) => {
    const fn = (piece["function"] ?? {}) as JsonObject;
    const id = typeof piece["id"] === "string" ? piece["id"] : "";
    const name = typeof fn["name"] === "string" ? fn["name"] : "";
    const index = typeof piece["index"] === "number" ? piece["index"] : undefined;
    const known = index === undefined ? callWithout(calls, id) : byIndex.get(index);
    const call = known === undefined || isAnother(known, id, name) ? begin(index) : known;
    if (id !== "") call.id = id;
    if (name !== "" && call.name === "") call.name = name;
    const argsText = argumentsText(fn["arguments"]);
    if (argsText !== "") call.args.push(argsText);
    return { call, argsText };
  };
  return { take, calls };
}

function callWithout(calls: readonly PendingCall[], id: string): PendingCall | undefined {
  return (id === "" ? undefined : calls.find((call) => call.id === id)) ?? calls.at(-1);
}

function isAnother(call: PendingCall, id: string, name: string): boolean {
  if (id !== "" && call.id !== "") return id !== call.id;
  return name !== "" && call.name !== "" && isComplete(call.args.join(""));
}

function isComplete(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
