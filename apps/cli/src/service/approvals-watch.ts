// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { setTimeout as pause } from "node:timers/promises";
import type { Parsed } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import { OutputClosed, type Program } from "../program.js";
import { type RunningService, withService } from "./running-service.js";
import { detailOf, kindOf } from "./request-words.js";
import { openTerminal } from "./terminal.js";
import { type WaitingRequest, waitingRequests } from "./waiting-requests.js";

/** How often the service is asked: requests wait for people, who don't notice a second. */
const POLL_MS: number = 1_000;

/**
 * `blitz approvals watch`: shows each request as it comes and, at a terminal, asks for it; until it is
 * left. What waits is asked for each second: the service has no stream over all sessions.
 */
export async function watchApprovals(line: Parsed, program: Program): Promise<number> {
  return await withService(program, async (running) => {
    const terminal = await openTerminal(program, running.messages);
    const signal = terminal === undefined ? program.signal : AbortSignal.any([program.signal, terminal.left]);
    const shown = new Map<string, WaitingRequest>();
    const say = terminal?.say ?? ((text: string): void => program.stderr.write(`${printable(text)}\n`));
    say(running.messages.t(line.has("all") ? "approvals.watching_all" : "approvals.watching"));
    try {
      while (!signal.aborted) {
        const waiting = await waitingRequests(running, line.has("all") ? undefined : program.dir);
        for (const [id, gone] of shown) {
          if (waiting.some((one) => one.request.id === id)) continue;
          shown.delete(id);
          const words = { id, detail: detailOf(gone.request) };
          // Asked here and answered here, the terminal has shown it; else it ended somewhere else.
          if (terminal === undefined || terminal.prompts.withdraw(id)) say(running.messages.t("approvals.gone", words));
        }
        for (const one of waiting) {
          if (shown.has(one.request.id)) continue;
          shown.set(one.request.id, one);
          program.stdout.write(requestLines(running, one));
          terminal?.prompts.ask(one.request, one.backend);
        }
        await pause(POLL_MS, undefined, { signal }).catch(() => undefined); // aborted: it was left
      }
    } finally {
      await terminal?.prompts.close();
    }
    return program.signal.reason instanceof OutputClosed ? EXIT.ok : EXIT.interrupted;
  });
}

function requestLines({ messages }: RunningService, { request, workspace }: WaitingRequest): string {
  const words = {
    id: request.id,
    kind: kindOf(request),
    session: request.sessionId,
    workspace,
    detail: detailOf(request),
  };
  return `${printable(messages.t("approvals.request", words))}\n`;
}
