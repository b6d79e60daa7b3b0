// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ToolResultPart } from "../history/index.js";

/** Messages the user sends while a turn runs (ENG-40). */
export interface Steering {
  push(text: string): void;
  /** Puts the whole queue into the last of these results, as `message_from_user`. */
  attach(results: readonly ToolResultPart[]): ToolResultPart[];
  /** What no result has carried yet. */
  waiting(): readonly string[];
  /** Takes what no result carried; from then on nothing is taken any more (ENG-41). */
  close(): string[];
  /** Whether messages are still taken. */
  readonly open: () => boolean;
}

/** The queue of one turn; `waiting`: what an earlier process was given for it. */
export function createSteering(waiting: readonly string[] = []): Steering {
  let queue: string[] = [...waiting];
  let open = true;
  const take = (): string[] => {
    const taken = queue;
    queue = [];
    return taken;
  };
  return {
    push: (text) => {
      queue.push(text);
    },
    attach: (results) => {
      const last = results.at(-1);
      if (last === undefined || queue.length === 0) return [...results];
      const messages = take();
      const message_from_user = messages.length === 1 ? messages[0] : messages;
      return [...results.slice(0, -1), { ...last, result: { ...last.result, message_from_user } }];
    },
    waiting: () => queue,
    close: () => {
      open = false;
      return take();
    },
    open: () => open,
  };
}
