// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Why listening failed: another service has the endpoint or is just starting; a file that is no socket is there;
 * the path is longer than the system takes; anything else, with its `cause`.
 */
export type ListenProblem = "answering" | "not-a-socket" | "path-too-long" | "failed";

/** A failed start; told apart by `kind`. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** Which of the expected problems it is. */
  readonly kind: ListenProblem;

  constructor(kind: ListenProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
