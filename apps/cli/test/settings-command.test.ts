// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
    ["a key without a value", ["set", "ui.locale"]],
    ["a value in two words", ["set", "blitz.default_agent", "my", "agent"]],
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

describe("blitz config set (CFG-20, CFG-47)", () => {
  it("saves a setting and says where, once", async () => {
    expect(await config("set", "ui.locale", "es")).toMatchObject({
      code: 0,
      stdout: `ui.locale is saved in ${file}.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe('[ui]\nlocale = "es"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await config("set", "ui.locale", "es")).toMatchObject({
      code: 0,
      stdout: `ui.locale has that value in ${file} already; nothing was written.\n`,
    });
  });

  it("turns on one setting of the template and leaves the rest (CLI-60)", async () => {
    await config("init");
    const before = readFileSync(file, "utf8").split("\n");
    await config("set", "blitz.temperature", "1");
    const after = readFileSync(file, "utf8").split("\n");
    expect(after.filter((line) => !before.includes(line))).toEqual(["temperature = 1.0"]);
    expect(before.filter((line) => !after.includes(line))).toEqual([]);
    expect((await config("show")).stdout).toContain("temperature = 1 # global");
  });

  it("says when the environment wins over what was saved (CFG-03)", async () => {
    const run = startBlitz(scratch, ["config", "set", "blitz.default_agent", "mine"], {
      env: { BLITZ_AGENT: "theirs" },
    });
    expect(await run.done).toMatchObject({ code: 0, stderr: expect.stringContaining("BLITZ_AGENT") });
  });

  it("takes no key from the command line, and doesn't repeat it (CFG-47)", async () => {
    const { code, stdout, stderr } = await config("set", "llm.openai.api_key", "sk-0123456789");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(file);
    expect(stderr).not.toContain("0123456789");
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["an unknown key", ["ui.local", "es"], "did you mean ui.locale?"],
    ["a bad value", ["blitz.permission_mode", "bypas"], '"bypas" is none of default'],
  ])("refuses %s with exit 2 and changes nothing (CFG-14)", async (_name, args, message) => {
    await config("set", "ui.locale", "es");
    expect(await config("set", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(readFileSync(file, "utf8")).toBe('[ui]\nlocale = "es"\n');
  });

  it("leaves a broken file alone, and says where it is broken (T-CFG-1)", async () => {
    await config("set", "ui.locale", "es");
    writeFileSync(file, '[ui]\nlocale = "e');
    expect(await config("set", "ui.markdown", "false")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file}:2:`),
    });
    expect(readFileSync(file, "utf8")).toBe('[ui]\nlocale = "e');
  });

  it("loses none of several saves at once (CFG-20)", { timeout: 20_000 }, async () => {
    const keys = ["ui.locale", "blitz.default_agent", "blitz.default_model", "llm.ollama.model", "llm.openai.model"];
    const runs = await Promise.all(keys.map((key) => config("set", key, "here")));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(keys.map(() => [0, ""]));
    expect(readFileSync(file, "utf8").match(/= "here"/g)).toHaveLength(keys.length);
  });
});
