// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ContextKey, createContextKey } from "@connectrpc/connect";

/** What a call's HTTP side offers to those who only see its context. */
export interface Call {
  /** The request is parsed: the next large one may be read. Idempotent. */
  release(): void;
  /** Cuts the client off unless it takes what waits for it, the error included, in a moment. Idempotent. */
  cutSoon(): void;
}

/** Where a call's context has it. A call without HTTP under it, as in a test, needs neither. */
export const CALL: ContextKey<Call> = createContextKey<Call>(
  { release: () => undefined, cutSoon: () => undefined },
  { description: "the call's HTTP side" },
);
