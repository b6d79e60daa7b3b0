// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLoginProgram, findOwnProgram } from "./blitzd-program.js";

let base: string;
beforeEach(() => void (base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-program-")))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (name: string): string => {
  const file = path.join(base, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  return file;
};
const running = (script: string) => ({ script, runtime: "/node", path: path.join(base, "path") });

describe("the program a login item starts (SVC-50)", () => {
  it("is blitzd beside the real blitz, links resolved", async () => {
    const real = put("opt/blitz");
    const blitzd = put("opt/blitzd");
    const link = path.join(base, "link");
    symlinkSync(real, link);
    expect(await findLoginProgram(running(link))).toEqual({ program: blitzd });
  });

  it("in a checkout is bin/blitzd, whatever is beside it", async () => {
    const script = put("dist/cli/blitz.mjs");
    put("dist/service/blitzd.mjs");
    put("bin/blitz");
    const blitzd = put("bin/blitzd");
    expect(await findLoginProgram(running(script))).toEqual({ program: blitzd });
  });

  it("else is the bundled script with its runtime, before any other version on PATH", async () => {
    const script = put("dist/cli/blitz.mjs");
    const bundled = put("dist/service/blitzd.mjs");
    put("path/blitzd");
    expect(await findLoginProgram(running(script))).toEqual({ program: bundled, runtime: "/node" });
  });

  it("else is the first on PATH, else nothing", async () => {
    const script = put("somewhere/blitz.mjs");
    expect(await findLoginProgram(running(script))).toBeUndefined();
    const blitzd = put("path/blitzd");
    expect(await findLoginProgram(running(script))).toEqual({ program: blitzd });
  });
});

describe("the program `blitz serve` runs", () => {
  it("is the bundled one, also in a checkout: it isn't rebuilt", async () => {
    const script = put("dist/cli/blitz.mjs");
    const bundled = put("dist/service/blitzd.mjs");
    put("bin/blitz");
    put("bin/blitzd");
    expect(await findOwnProgram(running(script))).toEqual({ program: bundled, runtime: "/node" });
  });

  it("beside a single file is blitzd", async () => {
    const script = put("opt/blitz");
    const blitzd = put("opt/blitzd");
    expect(await findOwnProgram(running(script))).toEqual({ program: blitzd });
  });
});
