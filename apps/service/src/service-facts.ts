// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { stat } from "node:fs/promises";

/** What the service says of itself (SVC-06). */
export interface ServiceFacts {
  readonly version: string;
  /** The program's path, links resolved. */
  readonly executable: string;
  readonly started: Date;
  readonly pid: number;
  /** Whether the program file is another one now, or gone: a restart brings the new one. */
  replaced(): Promise<boolean>;
}

/** Notes which file the program was started from. */
export async function readServiceFacts(about: Omit<ServiceFacts, "replaced">): Promise<ServiceFacts> {
  const identity = async (): Promise<string> => {
    const found = await stat(about.executable).catch(() => undefined); // gone: replaced
    return found === undefined ? "" : `${found.dev}:${found.ino}`;
  };
  const started = await identity();
  return { ...about, replaced: async () => (await identity()) !== started };
}
