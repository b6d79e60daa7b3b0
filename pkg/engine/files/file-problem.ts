// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A refusal or failure of a file operation, worded for the agent. Never thrown. */
export interface FileProblem {
  readonly ok: false;
  readonly code:
    | "OUTSIDE_WORKSPACE"
    | "BLOCKED_PATH"
    | "READ_ONLY_PATH"
    | "BAD_PATH"
    | "NOT_FOUND"
    | "NOT_A_FILE"
    | "EXISTS"
    | "TOO_LARGE"
    | "NOT_TEXT"
    | "CHANGED"
    | "NO_GRANT"
    | "FAILED";
  readonly message: string;
}

/** Makes a {@link FileProblem}. */
export function problem(code: FileProblem["code"], message: string): FileProblem {
  return { ok: false, code, message };
}

/** A failed system call in plain words. */
export function failed(error: unknown, display: string): FileProblem {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code ?? "") {
    case "ENOENT":
      return problem("NOT_FOUND", `${display} does not exist`);
    case "ELOOP":
      return problem("CHANGED", `${display} became a link while it was opened; try again`);
    case "EEXIST":
      return problem("EXISTS", `${display} exists already`);
    case "EISDIR":
      return problem("NOT_A_FILE", `${display} is a directory`);
    case "EACCES":
    case "EPERM":
      return problem("FAILED", `${display}: permission denied`);
    case "ENOSPC":
      return problem("FAILED", `${display}: the disk is full; the file is unchanged`);
    default:
      return problem("FAILED", `${display}: ${message}`);
  }
}
