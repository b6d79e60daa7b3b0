// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** This system has no login items Blitz knows; there is no item to work with; or a step failed, and how is its message. */
export type LoginItemProblem = "unsupported" | "not-installed" | "failed";

/** A failed operation; told apart by `kind`. */
export class LoginItemError extends Error {
  override readonly name = "LoginItemError";
  /** Which of the expected problems it is. */
  readonly kind: LoginItemProblem;

  constructor(kind: LoginItemProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
