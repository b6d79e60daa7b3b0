// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, type Scratch, startBlitz } from "./run-blitz.js";

let scratch: Scratch;
let file: string;
beforeEach(() => {
  scratch = createScratch();
  file = path.join(scratch.home, ".blitz", ".env.toml");
});
afterEach(() => scratch[Symbol.dispose]());

const config = async (...args: readonly string[]): Promise<Finished> =>
  await startBlitz(scratch, ["config", ...args], { env: { ANTHROPIC_API_KEY: "sk-ant-0123456789" } }).done;

describe("blitz config", () => {
  it("says where the settings file is, and writes one the owner alone can read (CLI-60, 61)", async () => {
    expect(await config("path")).toMatchObject({ code: 0, stdout: `${file}\n`, stderr: "" });
    expect(await config("init")).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await config("show")).code).toBe(0);
  });

  it("never writes over a file unless it is told to (CLI-60)", async () => {
    await config("init");
    writeFileSync(file, "# mine\n");
    chmodSync(file, 0o644);
    expect(await config("init")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    expect(readFileSync(file, "utf8")).toBe("# mine\n");
    expect((await config("init", "--force")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("request_expiry");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("shows what is in force and where it comes from, keys masked (CLI-61)", async () => {
    await config("init", "--force");
    writeFileSync(file, '[blitz]\npermission_mode = "plan"\n');
    const { code, stdout } = await config("show");
    expect(code).toBe(0);
    expect(stdout).toContain('permission_mode = "plan" # global');
    expect(stdout).toContain('api_key = "sk-…6789" # environment');
    expect(stdout).not.toContain("0123456789");
  });

  it.each([
    ["no word", []],
    ["an unknown word", ["shwo"]],
    ["two words", ["show", "path"]],
    ["--force where it means nothing", ["show", "--force"]],
  ])("refuses %s with exit 2", async (_name, args) => {
    expect((await config(...args)).code).toBe(2);
  });

  it("says what is wrong with a broken file (CFG-14)", async () => {
    await config("init");
    writeFileSync(file, "[blitz\n");
    expect(await config("show")).toMatchObject({ code: 2, stderr: expect.stringContaining(file) });
  });
});
