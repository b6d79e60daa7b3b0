// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LiveEvent, TurnEvent } from "@blitz/api";

/** A live event before it is numbered. */
export type Happening = DistributiveOmit<LiveEvent, "n" | "turnId">;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The events of one turn as late watchers get them (PRT-24). */
export interface EventStore {
  /** Numbers and keeps an event; returns it as live watchers get it. */
  add(happening: Happening): LiveEvent;
  /** The events after `after`, oldest first, in a form that reads right without those left out. */
  after(after: number): LiveEvent[];
  first(): number;
  last(): number;
}

type TextEvent = Extract<TurnEvent, { type: "text" }>;

/** A kept event; a final text also knows where the pieces it replaced ended, so that a watcher who saw some gets the rest. */
interface Kept {
  event: LiveEvent;
  bytes: number;
  readonly pieces?: readonly { readonly n: number; readonly end: number }[];
}

/** What a result that was cut says in its place. */
const CUT: string = "left out here: the turn's events grew too large. The transcript has it.";

/**
 * Keeps a turn's events within `maxBytes`: pieces of a text go when its final text comes, then the
 * oldest tool results are cut, then the oldest events go.
 *
 * @param from - the number of the last event of the turn's earlier life, 0 for a new one
 */
export function createEventStore(turnId: string, from: number, maxBytes: number): EventStore {
  let kept: Kept[] = [];
  let last = from;
  let bytes = 0;

  const push = (one: Kept): void => {
    kept.push(one);
    bytes += one.bytes;
    if (bytes > maxBytes) shrink();
  };
  const shrink = (): void => {
    for (const one of kept) {
      if (bytes <= maxBytes) return;
      const cut = cutResult(one.event);
      if (cut === undefined) continue;
      bytes -= one.bytes - sizeOf(cut);
      Object.assign(one, { event: cut, bytes: sizeOf(cut) });
    }
    while (bytes > maxBytes && kept.length > 1) bytes -= kept.shift()?.bytes ?? 0;
  };
  /** Takes out the pieces the final text `n` repeats, and returns where each ended. */
  const takePieces = (final: TextEvent): { readonly n: number; readonly end: number }[] => {
    const pieces: { n: number; end: number }[] = [];
    let end = 0;
    const rest: Kept[] = [];
    for (const one of kept) {
      const text = textOf(one.event);
      if (text?.partial === true && text.author === final.author && text.thought === final.thought) {
        end += text.text.length;
        pieces.push({ n: one.event.n, end });
        bytes -= one.bytes;
      } else rest.push(one);
    }
    kept = rest;
    return pieces;
  };

  return {
    add: (happening) => {
      const event: LiveEvent = { ...happening, n: ++last, turnId };
      const text = textOf(event);
      if (text === undefined || text.partial || !text.repeat) push({ event, bytes: sizeOf(event) });
      else push({ event, bytes: sizeOf(event), pieces: takePieces(text) });
      return event;
    },
    after: (after) => kept.flatMap((one) => (one.event.n > after ? replayed(one, after) : [])),
    first: () => kept[0]?.event.n ?? 0,
    last: () => last,
  };
}

/** A final text for a watcher who saw the pieces up to `after`: all of it, or the rest and its repetition. */
function replayed({ event, pieces }: Kept, after: number): LiveEvent[] {
  const text = textOf(event);
  if (text === undefined || pieces === undefined || event.type !== "turn") return [event];
  const seen = pieces.findLast((piece) => piece.n <= after);
  if (seen === undefined) return [{ ...event, event: { ...text, repeat: false } }];
  const rest = text.text.slice(seen.end);
  const lastPiece = pieces.at(-1)?.n ?? event.n;
  if (rest === "" || lastPiece <= after) return [event];
  return [{ ...event, n: lastPiece, event: { ...text, text: rest, partial: true, repeat: false } }, event];
}

function textOf(event: LiveEvent): TextEvent | undefined {
  return event.type === "turn" && event.event.type === "text" ? event.event : undefined;
}

function cutResult(event: LiveEvent): LiveEvent | undefined {
  if (event.type !== "turn" || event.event.type !== "tool_result" || event.event.result["cut"] === CUT)
    return undefined;
  return { ...event, event: { ...event.event, result: { cut: CUT } } };
}

/** About how much memory an event holds: close enough for a bound, cheap enough for every piece of text. */
function sizeOf(event: LiveEvent): number {
  const text = textOf(event);
  return text === undefined ? 64 + JSON.stringify(event).length : 128 + text.text.length;
}
