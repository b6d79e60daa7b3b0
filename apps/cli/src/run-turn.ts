// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type LiveEvent, NO_USAGE, type Turn, type TurnEvent, type TurnResult } from "@blitz/api";
import { runBySchema } from "./answer-schema/run-by-schema.js";
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
  const { program, printer, messages, schema } = run;
  const { backend, isAttached } = place;
  const sending = createSending(run, place, minder);
  let structured: unknown;
  let failure: unknown;
  try {
    if (schema === undefined) await sending.send(turn);
    else
      structured = await runBySchema(
        {
          schema,
          messages,
          run: sending.send,
          notice: (text) => printer.event({ author: "", type: "notice", text, error: false }),
        },
        turn,
      );
  } catch (error) {
    failure = error;
  }
  if (program.signal.reason instanceof OutputClosed) failure = undefined;
  const exitCode = failure === undefined ? EXIT.ok : exitCodeOf(failure, minder.signal.aborted);
  const result = sending.result();
  const usage = result?.after ?? (await backend.usage().catch(() => NO_USAGE));
  const error = failure === undefined ? {} : { error: await failureText(failure, { exitCode, messages, isAttached }) };
  await printer.end({
    exitCode,
    answer: result?.output ?? sending.spoken(),
    durationMs: performance.now() - run.started,
    usage,
    structured,
    ...error,
  });
  return { exitCode, leftover: sending.leftover };
}

/** A prompt's way to the model: one turn, or one more when the answer doesn't fit its schema. */
interface Sending {
  readonly send: (turn: Turn) => Promise<TurnResult>;
  /** Of the last one sent; `undefined` while it runs and when it failed. */
  readonly result: () => TurnResult | undefined;
  /** What the last one has said. */
  readonly spoken: () => string;
  /** What came too late for each of them. */
  readonly leftover: readonly string[];
}

function createSending({ printer }: Run, place: Place, { signal, onLive }: TurnMinder): Sending {
  const { backend, session, model, agent, isAttached } = place;
  let answer = createAnswer();
  let result: TurnResult | undefined;
  let isTold = false;
  const leftover: string[] = [];
  return {
    send: async (turn) => {
      answer = createAnswer();
      result = undefined;
      const running = backend.run(session.id, turn, {
        signal: isAttached ? unlessHungUp(signal) : signal,
        ...(onLive === undefined ? {} : { onLive }),
        onAccepted: () => {
          if (!isTold) printer.accepted(session, `${model.provider}/${model.name}`, agent);
          isTold = true;
        },
        onEvent: (event) => {
          answer.add(event);
          printer.event(event);
        },
      });
      result = await (isAttached ? untilLeft(running, signal, (reason) => reason instanceof HungUp) : running);
      leftover.push(...result.leftover);
      return result;
    },
    leftover,
    result: () => result,
    spoken: () => answer.text(),
  };
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
