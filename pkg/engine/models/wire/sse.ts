// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A server-sent event. */
export interface SseEvent {
  /** "" when the server gave none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from bytes, however they are cut: lines may end in LF, CR or CRLF; a
 * leading byte order mark and comments are skipped; `data` lines of one event are joined. Events
 * come in arrays, one for each piece that completed some, to spare a wait for each. What stands
 * after the last blank line counts as an event, so that a cut one is noticed and not dropped.
 */
export async function* readSse(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly SseEvent[]> {
  const decoder = new TextDecoder("utf-8");
  const reader = createEventReader();
  for await (const piece of pieces) {
    const events = reader.take(decoder.decode(piece, { stream: true }));
    if (events.length > 0) yield events;
  }
  const last = [...reader.take(decoder.decode()), ...reader.end()];
  if (last.length > 0) yield last;
}

function createEventReader(): { take(text: string): readonly SseEvent[]; end(): readonly SseEvent[] } {
  // Pieces of a line that isn't complete, joined once it is: appending to one string copies it again and again.
  let open: string[] = [];
  let afterReturn = false;
  let event = "";
  let data: string[] = [];
  const line = (text: string, events: SseEvent[]): void => {
    if (text === "") {
      if (data.length > 0) events.push({ event, data: data.length === 1 ? (data[0] ?? "") : data.join("\n") });
      event = "";
      data = [];
    } else if (text.startsWith("data:")) data.push(valueAfter(text, 5));
    else if (text === "data") data.push("");
    else if (text.startsWith("event:")) event = valueAfter(text, 6);
  };
  const lineFrom = (rest: string, events: SseEvent[]): void => {
    if (open.length === 0) return line(rest, events);
    open.push(rest);
    const whole = open.join("");
    open = [];
    line(whole, events);
  };
  const take = (given: string): readonly SseEvent[] => {
    const events: SseEvent[] = [];
    const text = afterReturn && given.startsWith("\n") ? given.slice(1) : given;
    if (given !== "") afterReturn = text.endsWith("\r");
    let start = 0;
    const hasReturns = text.includes("\r");
    for (let end = nextEnd(text, 0, hasReturns); end >= 0; end = nextEnd(text, start, hasReturns)) {
      lineFrom(text.slice(start, end), events);
      start = text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    }
    if (start < text.length) open.push(start === 0 ? text : text.slice(start));
    return events;
  };
  const end = (): readonly SseEvent[] => {
    const events: SseEvent[] = [];
    lineFrom("", events);
    line("", events);
    return events;
  };
  return { take, end };
}

function nextEnd(text: string, from: number, hasReturns: boolean): number {
  const feed = text.indexOf("\n", from);
  if (!hasReturns) return feed;
  const back = text.indexOf("\r", from);
  return back >= 0 && (feed < 0 || back < feed) ? back : feed;
}

function valueAfter(text: string, colon: number): string {
  return text.slice(text.charCodeAt(colon) === 32 ? colon + 1 : colon);
}
