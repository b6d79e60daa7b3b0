// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readServiceFacts } from "./service-facts.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-facts-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("the service's facts", () => {
  it("know when the program was replaced or is gone (SVC-06)", async () => {
    const executable = path.join(dir, "blitzd.mjs");
    writeFileSync(executable, "old");
    const facts = await readServiceFacts({ version: "1", executable, started: new Date(0), pid: 7 });
    expect([facts.version, facts.pid, await facts.replaced()]).toEqual(["1", 7, false]);
    writeFileSync(`${executable}.new`, "new");
    renameSync(`${executable}.new`, executable);
    expect(await facts.replaced()).toBe(true);
    rmSync(executable);
    expect(await facts.replaced()).toBe(true);
  });
});
