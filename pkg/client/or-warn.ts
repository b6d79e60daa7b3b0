// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A list, or none and a warning: for operations without an error to report (CL-07). */
export async function orWarn(
  warn: (text: string) => void,
  what: string,
  list: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await list();
  } catch (error) {
    warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
