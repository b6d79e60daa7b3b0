// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { SessionInfo, TurnEvent, Usage } from "@blitz/api";

/** How a run ended, as printers word it. */
export interface RunEnd {
  readonly exitCode: number;
  /** The final answer's text, also of a run that failed. */
  readonly answer: string;
  /** In the interface's language. */
  readonly error?: string;
  readonly durationMs: number;
  readonly usage: Usage;
  /** The answer's JSON that fits `--json-schema`. */
  readonly structured?: unknown;
}

/** Shows a run. Machine formats write nothing else to standard output (CLI-21). */
export interface Printer {
  accepted(session: SessionInfo, model: string, agent: string): void;
  event(event: TurnEvent): void;
  /** Resolves when the end is written. */
  end(end: RunEnd): Promise<void>;
}

/**
 * A printer that is made when there is something to print: what comes before it is there waits, in
 * order. So nothing is loaded for it before the model was asked.
 */
export function deferPrinter(make: () => Promise<Printer>): Printer {
  let printer: Printer | undefined;
  let making: Promise<void> | undefined;
  const waiting: ((made: Printer) => void)[] = [];
  const ready = async (): Promise<Printer> => {
    making ??= make().then((made) => {
      printer = made;
      for (const call of waiting.splice(0)) call(made);
    });
    await making;
    return printer ?? (await make());
  };
  const send = (call: (made: Printer) => void): void => {
    if (printer !== undefined) return call(printer);
    waiting.push(call);
    ready().catch(() => undefined); // `end` waits for the same and passes the failure on
  };
  return {
    accepted: (session, model, agent) => send((made) => made.accepted(session, model, agent)),
    event: (event) => send((made) => made.event(event)),
    end: async (end) => await (await ready()).end(end),
  };
}
