// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A command line that can't be run: printed with a hint at --help, exit code 2 (CLI-30). */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
