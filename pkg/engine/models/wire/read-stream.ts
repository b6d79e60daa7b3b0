// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@blitz/api";
import { ModelError, type ModelEvent } from "../chat-model.js";
import { type About, unusable } from "./failures.js";
import { bodyOf, closeBody } from "./shared-fetch.js";
import { readSse, type SseEvent } from "./sse.js";
import type { StallWatch } from "./stall-watch.js";

/** What a stream's event brought: something to show, and whether it is a sign of life (MDL-50). */
export interface Step {
  readonly shown?: ModelEvent;
  readonly alive: boolean;
  /** The provider's own end (MDL-33). */
  readonly ended?: boolean;
}

/** A step that brought nothing but shows that the provider works. */
export const ALIVE: Step = { alive: true };
/** A step that says nothing about the provider: keep-alives, unknown events, empty deltas. */
export const IGNORED: Step = { alive: false };

/** A step that shows text, unless there is none. */
export function showing(type: "textDelta" | "thoughtDelta", text: string): Step {
  return text === "" ? IGNORED : { alive: true, shown: { type, text } };
}

/** Puts an event to those before it. */
export type Take = (event: JsonObject) => Step | readonly Step[];

/** How long a body may go on after the provider's own end; then it is closed, and the answer counts. */
const AFTER_END_MS = 1_000;

/**
 * Reads a streamed answer to its end. Only an answer with the provider's own end counts; a body that
 * stops before it, an event that can't be read, or one `take` throws at fails the call (MDL-33).
 *
 * @param take - puts the events together; throws at those that can't be
 */
export async function* readStream(
  { about, response, watch }: { readonly about: About; readonly response: Response; readonly watch: StallWatch },
  take: Take,
): AsyncGenerator<ModelEvent> {
  watch.progress();
  let ended = false;
  const batches = readSse(bodyOf(response));
  try {
    for (;;) {
      const batch = await (ended ? nextOrClose(batches, response) : batches.next());
      if (batch.done === true) break;
      for (const { data } of batch.value) {
        if (data === "" || data === "[DONE]") continue;
        const taken = stepOf(about, data, take);
        for (const step of "alive" in taken ? [taken] : taken) {
          if (step.alive) watch.progress();
          if (step.shown !== undefined) yield step.shown;
          ended ||= step.ended === true;
        }
      }
    }
  } finally {
    closeBody(response);
  }
  if (!ended) throw unusable(about, "the answer was cut off before its end");
}

async function nextOrClose(
  batches: AsyncGenerator<readonly SseEvent[]>,
  response: Response,
): Promise<IteratorResult<readonly SseEvent[], unknown>> {
  const timer = new AbortController();
  const late = sleep(AFTER_END_MS, undefined, { signal: timer.signal, ref: false }).then(
    () => closeBody(response),
    () => undefined,
  );
  try {
    // Closing ends the read below, with or without an error; the answer is whole either way.
    return await Promise.race([batches.next(), late.then(() => ({ done: true, value: undefined }) as const)]);
  } catch {
    return { done: true, value: undefined };
  } finally {
    timer.abort();
  }
}

function stepOf(about: About, data: string, take: Take): Step | readonly Step[] {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (error) {
    throw unusable(about, "the answer holds an event that isn't JSON", error);
  }
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw unusable(about, "the answer holds an event that isn't an object");
  try {
    return take(event as JsonObject);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw unusable(about, error instanceof Error ? error.message : "an unusable event", error);
  }
}

/** Whether a server answered a streaming request with one JSON body, as some compatible ones do. */
export function isWhole(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").includes("application/json");
}
