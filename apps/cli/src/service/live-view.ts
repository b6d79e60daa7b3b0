// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type LiveEvent, NO_USAGE, type SessionInfo, type TurnEnd, type TurnState } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { createStreamJsonPrinter, jsonLine } from "../output/json-printer.js";
import { type Output, paint, printable } from "../output/output.js";
import { createTextPrinter } from "../output/text-printer.js";
import type { RunEnd } from "../output/printer.js";
import { answerText, detailOf, requestObject, stateObject } from "./request-words.js";

/** How a followed turn ended. */
export interface FollowedEnd {
  readonly end: TurnEnd;
  readonly exitCode: number;
  /** Unknown for a turn that had ended before it was looked at. */
  readonly durationMs: number | undefined;
}

/** Shows a turn that runs somewhere else: its state first, its events, its end. */
export interface LiveView {
  state(state: TurnState): void;
  /** Any event but the last. */
  event(event: Exclude<LiveEvent, { type: "finished" }>): void;
  end(end: FollowedEnd): Promise<void>;
}

const DIM: number = 2;

/** What a text view needs. */
export interface TextViewDeps {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly messages: Messages;
  /** Whether this client asks for a request itself, so that it isn't shown twice. */
  readonly isAsked: (requestId: string) => boolean;
}

/** Shows a turn to a person: the answer on standard output, all else on standard error. */
export function createTextView({ stdout, stderr, messages, isAsked }: TextViewDeps): LiveView {
  const printer = createTextPrinter(stdout, stderr, messages);
  const { t } = messages;
  const say = (text: string): void => stderr.write(`${paint(stderr, DIM, printable(text))}\n`);
  /** Beside the answer: on a line of its own. */
  const note = (text: string): void => printer.event({ author: "", type: "notice", text, error: false });
  return {
    state: (state) => {
      const { turnId, phase, by, started, requests, firstEvent } = state;
      if (turnId !== "") say(t(`follow.${phase}`, { by, since: started?.toISOString() ?? "", count: requests.length }));
      if (firstEvent > 1) say(t("follow.cut"));
    },
    event: (event) => {
      switch (event.type) {
        case "accepted":
          return;
        case "turn":
          return printer.event(event.event);
        case "request": {
          const { request } = event;
          if (!isAsked(request.id)) note(t("follow.request", { id: request.id, detail: detailOf(request) }));
          return;
        }
        case "resolved": {
          const words = { by: event.by, answer: answerText(event.answer) };
          if (!isAsked(event.id)) note(t(`follow.resolved.${event.outcome}`, words));
          return;
        }
        default:
          return event satisfies never;
      }
    },
    end: async (followed) => {
      // How long it took isn't known: then nothing is said of what it used either.
      const usage = followed.durationMs === undefined ? { usage: NO_USAGE } : {};
      await printer.end({ ...runEnd(followed), ...usage });
    },
  };
}

/** The session as the first lines name it. */
export interface FollowedSession {
  readonly info: SessionInfo;
  readonly model: string;
  readonly agent: string;
}

/** One JSON object a line: the state, the events a run here tells, the requests, and the result last (CLI-21, 26). */
export function createStreamJsonView(stdout: Output, { info, model, agent }: FollowedSession): LiveView {
  const printer = createStreamJsonPrinter(stdout);
  return {
    state: (state) => {
      stdout.write(jsonLine(stateObject(state)));
      printer.accepted(info, model, agent);
    },
    event: (event) => {
      switch (event.type) {
        case "accepted":
          return; // the session's line followed the state
        case "turn":
          return printer.event(event.event);
        case "request":
          return stdout.write(jsonLine(requestObject(event.request)));
        case "resolved": {
          const { id, outcome, by } = event;
          return stdout.write(jsonLine({ type: "request_resolved", id, outcome, by }));
        }
        default:
          return event satisfies never;
      }
    },
    end: async (followed) => await printer.end(runEnd(followed)),
  };
}

function runEnd({ end, exitCode, durationMs = 0 }: FollowedEnd): RunEnd {
  return {
    exitCode,
    answer: end.output,
    durationMs,
    usage: end.after,
    ...(end.error === undefined ? {} : { error: end.error.message }),
  };
}
