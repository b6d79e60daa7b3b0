// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, type Scratch, startBlitz } from "./run-blitz.js";

let scratch: Scratch;
let file: string;
beforeEach(() => {
  scratch = createScratch();
  file = path.join(scratch.cfg, ".env.toml");
});
afterEach(() => scratch[Symbol.dispose]());

const doctor = async (env: Readonly<Record<string, string>> = {}): Promise<Finished> =>
  await startBlitz(scratch, ["doctor", "-c", scratch.cfg, "-d", scratch.ws], { env }).done;

describe("blitz doctor", () => {
  it("prints a line for each check, the key masked, and exits 0 (CLI-50, 51)", async () => {
    scratch.configure("anthropic", "http://127.0.0.1:9");
    chmodSync(file, 0o600);
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ ${"config file".padEnd(16)} ${file}\n`);
    expect(stdout).toMatch(/^✓ credentials {6}anthropic tes…0000$/m);
    expect(stdout).toMatch(/^✓ bash {13}\//m);
    expect(stdout).not.toContain("test-key-0000000000");
  });

  it("warns of a missing file and of ones others can read, with what to do (CLI-51)", async () => {
    expect((await doctor()).stdout).toMatch(/^! config file .*blitz config init/m);
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    mkdirSync(path.join(scratch.home, ".blitz", "sessions"), { recursive: true });
    chmodSync(path.join(scratch.home, ".blitz", "sessions"), 0o755);
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toContain(`chmod 600 '${file}'`);
    expect(stdout).toMatch(/^! sessions .*chmod 700/m);
  });

  it("ends the list at settings that don't parse, exit 1 with a count (CLI-50)", async () => {
    writeFileSync(file, "[blitz\n");
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([1, "blitz: 1 check failed\n"]);
    expect(stdout).toMatch(/✗ config /);
    expect(stdout).not.toContain("credentials");
  });

  it.each([
    ["fails without the selected provider's key, whatever other keys there are", "anthropic", "openai", {}, 1, "✗"],
    ["takes ANTHROPIC_AUTH_TOKEN for a credential", "anthropic", "openai", { ANTHROPIC_AUTH_TOKEN: "t" }, 0, "✓"],
    ["asks no key of ollama", "ollama", "openai", {}, 0, "✓"],
    ["takes any key where no provider is selected", "", "openai", {}, 0, "✓"],
    ["only warns where no provider is selected and there is no key", "", "", {}, 0, "!"],
  ])("%s (CLI-51)", async (_name, provider, keyOf, env, code, mark) => {
    const key = keyOf === "" ? "" : `[llm.${keyOf}]\napi_key = "test-key-0000000000"\n`;
    writeFileSync(file, `[llm]\nprovider = "${provider}"\n${key}`);
    const finished = await doctor(env);
    expect(finished.stdout).toMatch(new RegExp(`^${mark} credentials `, "m"));
    expect(finished.code).toBe(code);
  });

  it("fails without bash, and only warns without git (CLI-51)", async () => {
    const { code, stdout } = await doctor({ PATH: scratch.base });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ bash /m);
    expect(stdout).toMatch(/^! git /m);
  });
});
