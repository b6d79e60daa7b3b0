// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, PROGRAM, type Scratch, startBlitz } from "./run-blitz.js";

const ROOT: string = path.resolve(import.meta.dirname, "..", "..", "..");
/** Compiled without bundling it contains no other package, so there are no notices. */
const IS_BUNDLE: boolean = PROGRAM.endsWith(".mjs");

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const license = async (...words: readonly string[]): Promise<Finished> =>
  await startBlitz(scratch, ["license", ...words], { env: { PAGER: "false" } }).done;

describe("blitz license", () => {
  it("says name, version, license and where the texts are (RR-05)", async () => {
    const { code, stdout, stderr } = await license();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("blitz dev\n");
    expect(stdout).toContain(readFileSync(path.join(ROOT, "NOTICE"), "utf8"));
    expect(stdout).toContain(IS_BUNDLE ? path.dirname(PROGRAM) : ROOT);
  });

  it("writes the license to a pipe as it is, without a pager (RR-05)", async () => {
    const text = readFileSync(path.join(ROOT, "LICENSE"), "utf8");
    expect(await license("full")).toMatchObject({ code: 0, stdout: text, stderr: "" });
  });

  it.runIf(IS_BUNDLE)("shows the license of every package the bundle contains (RR-04, RR-05)", async () => {
    const { code, stdout } = await license("third-party");
    expect(code).toBe(0);
    for (const name of ["@anthropic-ai/sdk", "@google/genai", "intl-messageformat", "openai", "smol-toml"])
      expect(stdout).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\nLicense: \\S`, "m"));
  });

  it.runIf(IS_BUNDLE)("finds the texts wherever the bundle is unpacked (RR-05)", () => {
    const copy = path.join(scratch.base, "elsewhere");
    cpSync(path.dirname(PROGRAM), copy, { recursive: true });
    const env = { HOME: scratch.home, PATH: process.env["PATH"] ?? "" };
    const run = spawnSync(process.execPath, [path.join(copy, "blitz.mjs"), "license"], { env, encoding: "utf8" });
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining(copy)]);
  });

  it.each([
    ["an unknown word", ["ful"]],
    ["two words", ["full", "third-party"]],
  ])("refuses %s with exit 2", async (_name, words) => {
    expect(await license(...words)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("third-party"),
    });
  });
});
