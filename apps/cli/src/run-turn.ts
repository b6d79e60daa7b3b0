// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type LiveEvent, NO_USAGE, type Turn, type TurnEvent, type TurnResult } from "@blitz/api";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { failureText } from "./failure-text.js";
import { unlessHungUp, untilLeft } from "./leaving.js";
import { HungUp, OutputClosed } from "./program.js";
import type { Place, Run } from "./run-place.js";

/** Who minds a turn while it runs. */
export interface TurnMinder {
  /** Aborts when this turn, or the program, is to end. */
  readonly signal: AbortSignal;
  readonly onLive?: (event: LiveEvent) => void;
}

/** How a turn ended, once that is printed. */
export interface EndedTurn {
  readonly exitCode: number;
  /** Messages that came too late for it (TUI-33). */
  readonly leftover: readonly string[];
}

/** Runs one turn and prints it from the session's line to its result, also when it fails (CLI-21, 24). */
export async function runTurn(run: Run, place: Place, turn: Turn, minder: TurnMinder): Promise<EndedTurn> {
  const { program, printer } = run;
  const { backend, session, model, agent, isAttached } = place;
  const { signal } = minder;
  const spoken = createAnswer();
  let result: TurnResult | undefined;
  let failure: unknown;
  try {
    const running = backend.run(session.id, turn, {
      signal: isAttached ? unlessHungUp(signal) : signal,
      ...(minder.onLive === undefined ? {} : { onLive: minder.onLive }),
      onAccepted: () => printer.accepted(session, `${model.provider}/${model.name}`, agent),
      onEvent: (event) => {
        spoken.add(event);
        printer.event(event);
      },
    });
    result = await (isAttached ? untilLeft(running, signal, (reason) => reason instanceof HungUp) : running);
  } catch (error) {
    failure = error;
  }
  if (program.signal.reason instanceof OutputClosed) failure = undefined;
  const exitCode = failure === undefined ? EXIT.ok : exitCodeOf(failure, signal.aborted);
  const usage = result?.after ?? (await backend.usage().catch(() => NO_USAGE));
  const { messages } = run;
  const error = failure === undefined ? {} : { error: await failureText(failure, { exitCode, messages, isAttached }) };
  await printer.end({
    exitCode,
    answer: result?.output ?? spoken.text(),
    durationMs: performance.now() - run.started,
    usage,
    ...error,
  });
  return { exitCode, leftover: result?.leftover ?? [] };
}

/** The answer so far, for a turn that fails: text after the last tool call. */
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
