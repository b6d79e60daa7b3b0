// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AnswerPart, SseFrame } from "./answer.js";

/** An answer in a wire's form: as one JSON body, and as events. */
export interface Rendered {
  readonly json: object;
  readonly frames: readonly SseFrame[];
  /** Parts with the ids they went out under, for the rules to compare with what comes back. */
  readonly sent: readonly AnswerPart[];
  /** The same as the stream cuts them, where that makes parts of their own. */
  readonly streamed?: readonly AnswerPart[];
}
