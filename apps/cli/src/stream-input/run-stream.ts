// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { EXIT } from "../exit-code.js";
import { jsonLine } from "../output/json-printer.js";
import { messageOf, OutputClosed } from "../program.js";
import { inPlace, type Place, type Run } from "../run-place.js";
import { turnOf } from "../run-options.js";
import { runTurn } from "../run-turn.js";
import { type Message, parseMessage } from "./message.js";
import { createPromptQueue, type PromptQueue } from "./prompt-queue.js";
import { readLines } from "./read-lines.js";
import { createStreamRequests, type StreamRequests } from "./stream-requests.js";

const LONGEST_LINE: number = 4 * 1024 * 1024;

/** A stream's parts, while it runs. */
interface Stream {
  readonly run: Run;
  readonly place: Place;
  readonly prompts: PromptQueue;
  readonly requests: StreamRequests;
  /** Cancels the turn that runs. */
  cancel: (() => void) | undefined;
}

/**
 * Runs a turn for each prompt line of standard input, after the one given, in one session until the input
 * ends; other lines answer what the turns ask (CLI-26).
 *
 * @returns the exit code of the last turn that failed
 */
export async function runStream(run: Run, first: string | undefined): Promise<number> {
  return await inPlace(run, async (place) => {
    const write = (line: Parameters<typeof jsonLine>[0]): void => run.program.stdout.write(jsonLine(line));
    const requests = createStreamRequests({ ...place, write });
    const prompts = createPromptQueue(first === undefined ? [] : [first]);
    const stream: Stream = { run, place, prompts, requests, cancel: undefined };
    place.backend.setUi(requests.ui);
    const input = run.program.stdin();
    const reading = readAll(stream, input, (error) => write({ type: "error", error }));
    try {
      return await runTurns(stream);
    } finally {
      input.destroy(); // else the process waits for what nobody reads
      await reading;
    }
  });
}

async function runTurns(stream: Stream): Promise<number> {
  const { run, place, prompts, requests } = stream;
  const { signal } = run.program;
  let exitCode: number = EXIT.ok;
  for (let next = await prompts.next(signal); next !== undefined; next = await prompts.next(signal)) {
    const cancel = new AbortController();
    stream.cancel = () => cancel.abort(new DOMException("interrupted", "AbortError"));
    const turn = { ...turnOf(run.options, next.text, prompts.isOpen()), accepted: next.accepted };
    const ended = await runTurn({ ...run, started: performance.now() }, place, turn, {
      signal: AbortSignal.any([signal, cancel.signal]),
      onLive: requests.onLive,
    });
    stream.cancel = undefined;
    if (ended.exitCode !== EXIT.ok) ({ exitCode } = ended);
    prompts.addLate(ended.leftover);
  }
  return signal.aborted && !(signal.reason instanceof OutputClosed) ? EXIT.interrupted : exitCode;
}

/** Takes line after line to the end of the input; never rejects. */
async function readAll(stream: Stream, input: NodeJS.ReadStream, fail: (problem: string) => void): Promise<void> {
  try {
    for await (const line of readLines(input, LONGEST_LINE)) {
      if ("tooLong" in line) fail("the line is over 4 MiB");
      else if (line.text.trim() !== "") await takeLine(stream, line.text, fail);
    }
  } catch (error) {
    if (!input.destroyed || input.errored !== null) fail(`standard input can't be read: ${messageOf(error)}`);
  } finally {
    stream.prompts.close();
    stream.requests.end();
  }
}

/** A line that can't be followed is told, and the run goes on. */
async function takeLine(stream: Stream, text: string, fail: (problem: string) => void): Promise<void> {
  const message = parseMessage(text);
  if ("problem" in message) return fail(message.problem);
  try {
    await follow(stream, message);
  } catch (error) {
    fail(messageOf(error));
  }
}

async function follow(stream: Stream, message: Message): Promise<void> {
  const { prompts, requests, cancel } = stream;
  switch (message.type) {
    case "user":
      return prompts.add(message.text);
    case "approval":
      return await requests.answer(message.id, message.decision);
    case "answer":
      return await requests.answer(message.id, message.answer);
    case "steer":
      return await steer(stream, message.text);
    case "interrupt":
      if (cancel === undefined) throw new Error("no turn runs");
      return cancel();
    default:
      return message satisfies never;
  }
}

/** Into the turn that runs; one that takes nothing any more leaves it to the next (WS-27). */
async function steer({ place, prompts, cancel }: Stream, text: string): Promise<void> {
  if (cancel === undefined) throw new Error("no turn runs");
  try {
    await place.backend.steer(place.session.id, text);
  } catch (error) {
    if (!isReason(error, "STEER_TOO_LATE")) throw error;
    prompts.addLate([text]);
  }
}
