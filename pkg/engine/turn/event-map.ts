// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type TurnEvent, unreachable } from "@blitz/api";
import type { Event } from "../history/index.js";
import type { LoopEvent } from "../loop/index.js";

/** Partial text reaches front ends at most this often. */
const FLUSH_MS: number = 16;

/** Turns loop events into the contract's (WS-30, 31). */
export interface EventMap {
  handle(event: LoopEvent): void;
  /** Sends partial text still held back. */
  flush(): void;
  /** Text the agent has written since the last final answer: what an interrupted turn keeps (WS-26). */
  partialText(): string;
}

/**
 * Maps the events of one run. Deltas are gathered and sent at most 60 times a second; a final text
 * that was streamed is sent with `repeat`, so nobody shows it twice.
 *
 * @param onFailure - gets what a throwing handler threw: it ends the turn (CTR-20)
 */
export function createEventMap(
  author: string,
  onEvent: (event: TurnEvent) => void,
  onFailure: (error: unknown) => void,
): EventMap {
  const held: string[] = [];
  let kind: "text" | "thought" = "text";
  let timer: NodeJS.Timeout | undefined;
  let lastSent = 0;
  let streamed = { text: false, thought: false };
  let partial: string[] = [];

  const send = (event: TurnEvent): void => {
    try {
      onEvent(event);
    } catch (error) {
      onFailure(error);
    }
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length === 0) return;
    lastSent = performance.now();
    send({ author, type: "text", text: held.join(""), partial: true, repeat: false, thought: kind === "thought" });
    held.length = 0;
  };
  const onDelta = (deltaKind: "text" | "thought", text: string): void => {
    if (text === "") return;
    if (deltaKind !== kind) flush();
    kind = deltaKind;
    streamed = { ...streamed, [deltaKind]: true };
    held.push(text);
    if (deltaKind === "text") partial.push(text);
    const wait = FLUSH_MS - (performance.now() - lastSent);
    if (wait <= 0) flush();
    else timer ??= setTimeout(flush, wait);
  };
  const onFinal = (event: Event): void => {
    flush();
    for (const one of turnEventsOf(event, streamed)) send(one);
    streamed = { text: false, thought: false };
    if (event.role === "model") partial = [];
  };

  return {
    handle: (event) => {
      switch (event.type) {
        case "delta":
          return onDelta(event.kind, event.text);
        case "event":
          return onFinal(event.event);
        case "tasks":
        case "notice":
          flush();
          return send({ author, ...event });
        default:
          return unreachable(event);
      }
    },
    flush,
    partialText: () => partial.join(""),
  };
}

/** One contract event per part of a final event, in order (WS-30). */
function turnEventsOf(event: Event, streamed: { readonly text: boolean; readonly thought: boolean }): TurnEvent[] {
  const { author } = event;
  if (event.role === "user") return [];
  return event.parts.flatMap((part): TurnEvent[] => {
    switch (part.type) {
      case "text":
        return part.text === ""
          ? []
          : [{ author, type: "text", text: part.text, partial: false, repeat: streamed.text, thought: false }];
      case "thought":
        return part.text === ""
          ? []
          : [{ author, type: "text", text: part.text, partial: false, repeat: streamed.thought, thought: true }];
      case "toolCall":
        return [{ author, type: "tool_call", id: part.id, name: part.name, args: part.args, partial: false }];
      case "toolResult":
        return [{ author, type: "tool_result", id: part.id, name: part.name, result: part.result }];
      case "opaque":
        return [];
      default:
        return unreachable(part);
    }
  });
}
