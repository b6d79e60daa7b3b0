// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { BackgroundRun } from "@blitz/api";
import { type BackgroundRunSchema, BackgroundState, type BackgroundRun as WireRun } from "@blitz/proto/session";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { smallCountToWire } from "./count.js";
import { nameOf } from "./named.js";
import { textToWire } from "./text.js";
import { dateFromWire, dateToWire, requiredDate } from "./time.js";

const STATES: Readonly<Record<BackgroundRun["state"], BackgroundState>> = {
  running: BackgroundState.RUNNING,
  waiting: BackgroundState.WAITING,
  done: BackgroundState.DONE,
  failed: BackgroundState.FAILED,
  stopped: BackgroundState.STOPPED,
};

/** A background run, on the wire. */
export function backgroundRunToWire(run: BackgroundRun): MessageInitShape<typeof BackgroundRunSchema> {
  return {
    id: textToWire(run.id),
    workspace: textToWire(run.workspace),
    sessionId: textToWire(run.sessionId),
    prompt: textToWire(run.prompt),
    state: STATES[run.state],
    started: dateToWire(run.started),
    ...(run.ended === undefined ? {} : { ended: dateToWire(run.ended) }),
    costUsd: run.costUsd,
    waiting: smallCountToWire(run.waiting),
    error: textToWire(run.error),
  };
}

/** A background run, off the wire. One in a state of a newer peer goes on as long as it hasn't ended. */
export function backgroundRunFromWire(run: WireRun): BackgroundRun {
  const ended = dateFromWire(run.ended);
  return {
    id: run.id,
    workspace: run.workspace,
    sessionId: run.sessionId,
    prompt: run.prompt,
    state: nameOf(STATES, run.state) ?? (ended === undefined ? "running" : "stopped"),
    started: requiredDate(run.started),
    ...(ended === undefined ? {} : { ended }),
    costUsd: run.costUsd,
    waiting: run.waiting,
    error: run.error,
  };
}
