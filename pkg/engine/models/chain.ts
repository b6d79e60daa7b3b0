// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Breaker } from "../breaker/index.js";
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest } from "./chat-model.js";

/** What the chain tells its user, once a change (MDL-64). */
export interface ChainNotice {
  readonly key: "model.fallback" | "model.fallback_recovered";
  readonly primary: string;
  readonly serving: string;
}

/** A model of a chain, and the breaker that remembers whether it works. */
export interface ChainMember {
  readonly model: ChatModel;
  readonly breaker: Breaker;
}

/**
 * A model with others behind it (MDL-60…64). It goes by the primary's name. It moves on only while
 * nothing was yielded, and never when the call was cancelled or the prompt is too long: that is the
 * caller's to shorten. When all breakers are open all members are tried.
 */
export function createChain(
  primary: ChainMember,
  backups: readonly ChainMember[],
  notice: (notice: ChainNotice) => void,
): ChatModel {
  const members = [primary, ...backups];
  const { provider, name, maxOutput } = primary.model;
  let onFallback = false;
  const answering = (member: ChainMember): void => {
    const isBackup = member !== primary;
    if (isBackup === onFallback) return;
    onFallback = isBackup;
    const key = isBackup ? "model.fallback" : "model.fallback_recovered";
    notice({ key, primary: name, serving: member.model.name });
  };
  const generate = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    const errors: unknown[] = [];
    let attempts = 0;
    for (const forced of [false, true]) {
      if (forced && attempts > 0) break;
      for (const member of members) {
        if (!forced && !member.breaker.allow()) continue;
        attempts++;
        const error = yield* attempt(member, request, primary, answering);
        if (error === undefined) return;
        errors.push(error);
      }
    }
    throw allFailed(errors, provider, name);
  };
  return { provider, name, maxOutput, generate };
}

/** Runs one member; returns its error when the next may be tried. */
async function* attempt(
  member: ChainMember,
  request: ModelRequest,
  primary: ChainMember,
  answering: (member: ChainMember) => void,
): AsyncGenerator<ModelEvent, unknown> {
  const { model, breaker } = member;
  let yielded = false;
  let failed = false;
  try {
    for await (const event of model.generate(request)) {
      if (!yielded) answering(member);
      yielded = true;
      yield member === primary || event.type !== "final"
        ? event
        : { ...event, fallbackFrom: primary.model.name, servedBy: event.servedBy || model.name };
    }
    return undefined;
  } catch (error) {
    failed = true;
    const isCallers = request.signal.aborted || (error instanceof ModelError && error.kind === "context_full");
    if (isCallers) breaker.abandon();
    else breaker.failed();
    if (isCallers || yielded) throw error;
    return error;
  } finally {
    // Also when the consumer stops early: the model did answer.
    if (!failed) breaker.succeeded();
  }
}

function allFailed(errors: readonly unknown[], provider: string, model: string): unknown {
  const first = errors[0];
  if (errors.length < 2) return first;
  const joined = errors.map((error) => (error instanceof Error ? error.message : String(error))).join("; ");
  const kind = first instanceof ModelError ? first.kind : "api";
  return new ModelError(kind, `every model failed: ${joined}`, { provider, model }, first);
}
