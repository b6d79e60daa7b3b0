// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, Turn, TurnEnd, TurnHandlers, TurnResult } from "@blitz/api";
import { textToWire, turnToWire } from "@blitz/wire";
import { follow, restarted } from "./follow.js";
import { createPrompts } from "./request-prompts.js";
import { answeredAgain } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";
import { sendAnswer } from "./requests.js";

/** Where a turn that runs in the service is, as its sender knows it. */
interface Sent {
  turnId: string;
  end: TurnEnd | undefined;
  /** A handler threw: the turn is cancelled and its error is the turn's (CTR-20). */
  failure: { readonly error: unknown } | undefined;
  /** The turn isn't in the service any more. */
  isGone: boolean;
}

/** Runs a prompt in the service and sees it through lost connections to its end (CL-05). */
export async function runTurn(deps: RemoteDeps, id: string, turn: Turn, handlers: TurnHandlers): Promise<TurnResult> {
  const { sessions, workspace } = deps;
  const { signal } = handlers;
  signal?.throwIfAborted();
  const sessionId = textToWire(id);
  const sent: Sent = { turnId: "", end: undefined, failure: undefined, isGone: false };
  const prompts = createPrompts({
    ...deps,
    answer: (requestId, answer, closed) =>
      answeredAgain(deps, () => sendAnswer(deps, requestId, answer), AbortSignal.any([closed, deps.closing])),
  });
  const left = new AbortController();
  const cancel = createCancel(deps, sessionId, sent, left);
  const isUnwanted = (): boolean => sent.failure !== undefined || signal?.aborted === true;
  signal?.addEventListener("abort", cancel);
  try {
    await follow(
      deps,
      {
        from: { turnId: "", after: 0 },
        open: (view) => sessions.runTurn({ workspace, sessionId, turn: turnToWire(turn) }, { signal: view }),
        // Before its first event there is no telling whether the prompt arrived, and it must not run twice.
        isEndless: false,
        canReopen: ({ turnId }) => turnId !== "",
        reopen: ({ turnId, after }, view) =>
          sessions.watchSession({ workspace, sessionId, turnId, after: BigInt(after) }, { signal: view }),
        onState: (state) => {
          sent.isGone = state.turnId !== sent.turnId;
          if (!sent.isGone) prompts.sync(state.requests);
          return sent.isGone;
        },
        onEvent: (event) => {
          sent.turnId = event.turnId;
          if (event.type === "request") prompts.open(event.request);
          if (event.type === "resolved") prompts.close(event.id);
          if (event.type === "finished") sent.end = event.end;
          sent.failure ??= failureOf(handlers, event);
          if (isUnwanted() && sent.end === undefined) cancel();
          return sent.end !== undefined;
        },
        onEnd: () => false, // only `finished` is the end of a turn
      },
      AbortSignal.any([left.signal, deps.closing]),
    );
  } catch (error) {
    if (!isUnwanted()) throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
    prompts.closeAll();
  }
  if (sent.failure !== undefined) throw sent.failure.error;
  signal?.throwIfAborted();
  return resultOf(sent);
}

/**
 * Cancels the turn in the service, once and only when it is known which it is; its `finished` follows. A service
 * that doesn't come back to be told isn't waited for.
 */
function createCancel(deps: RemoteDeps, sessionId: string, sent: Sent, left: AbortController): () => void {
  const { sessions, workspace, closing, warn } = deps;
  let isAsked = false;
  const ask = async (turnId: string): Promise<void> => {
    try {
      await answeredAgain(deps, () => sessions.cancelTurn({ workspace, sessionId, turnId }), closing);
    } catch (error) {
      if (sent.end !== undefined || closing.aborted) return;
      warn(`the turn couldn't be cancelled: ${error instanceof Error ? error.message : String(error)}`);
      left.abort();
    }
  };
  return () => {
    if (isAsked || sent.turnId === "") return;
    isAsked = true;
    void ask(sent.turnId); // never rejects; the turn's own end is what is waited for
  };
}

/** Tells the handlers an event; what they threw, if they did. */
function failureOf(handlers: TurnHandlers, event: LiveEvent): Sent["failure"] {
  try {
    handlers.onLive?.(event);
    if (event.type === "accepted") handlers.onAccepted?.();
    if (event.type === "turn") handlers.onEvent(event.event);
    if (event.type === "finished") handlers.onFinished?.();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function resultOf({ end, isGone }: Sent): TurnResult {
  if (isGone) throw restarted();
  if (end === undefined) throw new DOMException("the workspace was closed here; the turn goes on", "AbortError");
  const { error, ...result } = end;
  if (error === undefined) return result;
  throw error.reason === "CANCELLED" ? new DOMException(error.message, "AbortError") : error;
}
