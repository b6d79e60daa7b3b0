// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shellKeysOf } from "./shell-keys.js";

let dir: string;
beforeEach(() => void (dir = mkdtempSync(path.join(tmpdir(), "blitz-keys-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const found = (env: Readonly<Record<string, string>>) => shellKeysOf({ configDir: dir, home: dir, env });

describe("keys that only the shell has (SVC-50)", () => {
  it.each([
    ["none", {}, []],
    ["an empty one", { ANTHROPIC_API_KEY: "" }, []],
    [
      "one of each provider",
      { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" },
      [
        { setting: "llm.gemini.api_key", variable: "GEMINI_API_KEY" },
        { setting: "llm.anthropic.api_key", variable: "ANTHROPIC_API_KEY" },
        { setting: "llm.openai.api_key", variable: "OPENAI_API_KEY" },
      ],
    ],
    ["a second name", { GOOGLE_API_KEY: "g" }, [{ setting: "llm.gemini.api_key", variable: "GOOGLE_API_KEY" }]],
  ])("%s", async (_name, env, expected) => {
    expect(await found(env)).toEqual(expected);
  });

  it("a key that the settings have too is none", async () => {
    writeFileSync(path.join(dir, ".env.toml"), '[llm.anthropic]\napi_key = "in-the-file"\n');
    expect(await found({ ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" })).toEqual([
      { setting: "llm.openai.api_key", variable: "OPENAI_API_KEY" },
    ]);
  });

  it("returns names and no key", async () => {
    expect(JSON.stringify(await found({ OPENAI_API_KEY: "canary-0000" }))).not.toContain("canary");
  });
});
