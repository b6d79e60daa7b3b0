// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, SseFrame, Wire } from "./answer.js";
import type { Rendered } from "./rendered.js";
import { renderAnthropic } from "./render-anthropic.js";
import { renderChat } from "./render-chat.js";
import { renderGemini } from "./render-gemini.js";
import { renderResponses } from "./render-responses.js";

/** Renders an answer in the format of the path asked. `id` is unique to the answer. */
export function render(wire: Wire, answer: Answer, model: string, id: string): Rendered {
  switch (wire) {
    case "anthropic":
      return renderAnthropic(answer, model, id);
    case "responses":
      return renderResponses(answer, model, id);
    case "chat":
      return renderChat(answer, model, id);
    case "gemini":
      return renderGemini(answer, model, id);
  }
}

/** Frames events as a server-sent stream. */
export function frame(frames: readonly SseFrame[]): string {
  return frames
    .map(({ event, data }) => {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
    })
    .join("");
}
