// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, TurnState } from "@blitz/api";
import { apiError } from "@blitz/api";
import type { TurnEvent } from "@blitz/proto/turn";
import { liveEventToWire, turnStateToWire } from "@blitz/wire";
import type { HandlerContext } from "@connectrpc/connect";
import { createStreamQueue } from "../server/index.js";

/** What is sent on a stream of a turn. */
export interface LiveStream {
  readonly onState: (state: TurnState) => void;
  readonly onEvent: (event: LiveEvent) => void;
  /** Ends the stream, with an error or in peace. */
  readonly end: (error?: unknown) => void;
  /** The stream itself; leaving it early releases everything. */
  readonly messages: () => AsyncGenerator<{ readonly event: TurnEvent }>;
}

/** A client that stops reading is cut at this many bytes; its turn goes on (SVC-63). */
const MAX_BYTES: number = 8 << 20;

/** A stream of live events for the client of a call; it ends when the service stops, saying so. */
export function createLiveStream(stopping: AbortSignal, context: HandlerContext): LiveStream {
  const queue = createStreamQueue<TurnEvent>({ maxBytes: MAX_BYTES, sizeOf, context });
  const onStopping = (): void => queue.end(apiError("SHUTTING_DOWN", "the service is shutting down", {}));
  if (stopping.aborted) onStopping();
  stopping.addEventListener("abort", onStopping, { once: true });
  return {
    onState: (state) => queue.push(turnStateToWire(state)),
    onEvent: (event) => queue.push(liveEventToWire(event)),
    end: queue.end,
    messages: async function* () {
      try {
        for await (const event of queue) yield { event };
      } finally {
        stopping.removeEventListener("abort", onStopping);
      }
    },
  };
}

/** About what an event weighs while it waits to be sent. */
function sizeOf({ event }: TurnEvent): number {
  switch (event.case) {
    case "text":
      return 128 + event.value.text.length;
    case "toolCall":
    case "toolResult":
    case "approvalRequest":
    case "finished":
      return 256 + JSON.stringify(event.value, bigIntAsText).length;
    case "state":
    case "accepted":
    case "question":
    case "requestResolved":
    case "tasks":
    case "notice":
    case undefined:
      return 512;
    default:
      return event satisfies never;
  }
}

function bigIntAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
