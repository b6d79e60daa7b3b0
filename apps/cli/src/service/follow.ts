// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, type BackgroundRun, isReason, type TurnEnd, type TurnState } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { EXIT, exitCodeOf } from "../exit-code.js";
import { printable } from "../output/output.js";
import { OutputClosed, type Program } from "../program.js";
import { stateOf } from "./agents.js";
import type { LiveView } from "./live-view.js";
import { answerText } from "./request-words.js";
import type { Terminal } from "./terminal.js";

/** What is followed: a background run, or a session. */
export interface Followed {
  /** As it was given: `bg-1`, or the session's ID. */
  readonly name: string;
  readonly sessionId: string;
  readonly run?: BackgroundRun;
}

/** What following needs. */
export interface FollowDeps {
  readonly program: Program;
  readonly messages: Messages;
  readonly backend: Pick<Backend, "watchSession" | "answerRequest">;
  readonly view: LiveView;
  /** Absent: it only watches. */
  readonly terminal: Terminal | undefined;
}

/**
 * Follows a turn to its end, whoever sent it; a lost connection is taken up again. Leaving never ends
 * the turn (CL-22).
 *
 * @returns the exit code the turn ended with; 130 for whoever left
 */
export async function follow(deps: FollowDeps, followed: Followed): Promise<number> {
  const { program, backend, view, terminal } = deps;
  const signal = terminal === undefined ? program.signal : AbortSignal.any([program.signal, terminal.left]);
  let state: TurnState | undefined;
  let end: TurnEnd | undefined;
  const asking = terminal === undefined ? undefined : askFor(deps, terminal);
  try {
    await backend.watchSession(
      followed.sessionId,
      { after: 0 },
      {
        signal,
        onState: (begun) => {
          state = begun;
          view.state(begun);
          asking?.state(begun);
        },
        onEvent: (event) => {
          if (event.type === "finished") {
            ({ end } = event);
            return;
          }
          asking?.before(event);
          view.event(event);
          asking?.after(event.n);
        },
      },
    );
  } finally {
    await terminal?.prompts.close();
  }
  if (end !== undefined) {
    const exitCode = exitCodeOfEnd(end);
    await view.end({ end, exitCode, durationMs: durationOf(followed.run, state) });
    return exitCode;
  }
  return signal.aborted ? left(deps, followed) : ended(deps, followed);
}

type Live = Parameters<LiveView["event"]>[0];

/** Asks for what still waits, after what had happened was shown; a request that ended meanwhile isn't asked. */
function askFor({ backend, messages }: FollowDeps, { prompts, say }: Terminal) {
  let waiting: TurnState["requests"] = [];
  let shownFrom = 0;
  const askWaiting = (): void => {
    for (const request of waiting) prompts.ask(request, backend);
    waiting = [];
  };
  return {
    state: ({ requests, lastEvent, firstEvent }: TurnState): void => {
      waiting = requests;
      shownFrom = lastEvent;
      if (firstEvent === 0 || firstEvent > lastEvent) askWaiting();
    },
    before: (event: Live): void => {
      if (event.type === "request" && event.n > shownFrom) prompts.ask(event.request, backend);
      if (event.type === "resolved" && prompts.withdraw(event.id))
        say(messages.t(`follow.resolved.${event.outcome}`, { by: event.by, answer: answerText(event.answer) }));
    },
    after: (n: number): void => {
      if (n >= shownFrom) askWaiting();
    },
  };
}

function exitCodeOfEnd({ error }: TurnEnd): number {
  if (error === undefined) return EXIT.ok;
  return isReason(error, "CANCELLED") ? EXIT.interrupted : exitCodeOf(error, false);
}

function durationOf(run: BackgroundRun | undefined, state: TurnState | undefined): number | undefined {
  if (run?.ended !== undefined) return run.ended.getTime() - run.started.getTime();
  if (state?.started === undefined || state.phase === "ended") return undefined;
  return Date.now() - state.started.getTime();
}

function left({ program, messages }: FollowDeps, { name }: Followed): number {
  if (program.signal.reason instanceof OutputClosed) return EXIT.ok;
  program.stderr.write(`${printable(messages.t("follow.left", { name }))}\n`);
  return EXIT.interrupted;
}

const EXIT_OF_STATE = { done: EXIT.ok, failed: EXIT.failed, stopped: EXIT.interrupted } as const;

/** Nothing of a turn is known any more: a run says how it ended, a session that nothing runs in it. */
function ended({ program, messages }: FollowDeps, { name, run, sessionId }: Followed): number {
  const say = (text: string): void => program.stderr.write(`${printable(text)}\n`);
  if (run === undefined || run.state === "running" || run.state === "waiting") {
    say(messages.t("follow.nothing", { session: sessionId }));
    return EXIT.ok;
  }
  say(messages.t("follow.forgotten", { name, state: stateOf(run, messages), session: sessionId }));
  if (run.error !== "") say(messages.t("error.prefix", { message: run.error }));
  return EXIT_OF_STATE[run.state];
}
