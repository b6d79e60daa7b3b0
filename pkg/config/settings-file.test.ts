// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig, masked, renderSettings, SETTINGS, settingsTemplate } from "./index.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-settings-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const load = async (text: string, env: Readonly<Record<string, string>> = {}) => {
  writeFileSync(path.join(dir, ".env.toml"), text);
  return await loadConfig({ dir, home: "/home/ann", env });
};

describe("the settings template (CLI-60)", () => {
  it("sets nothing as it is, and the defaults when every line is turned on", async () => {
    const defaults = await load("");
    const off = await load(settingsTemplate());
    expect([off.config, off.warnings]).toEqual([defaults.config, []]);
    const on = settingsTemplate()
      .split("\n")
      .map((line) => (line.startsWith("# ") ? line : line.replace(/^#/, "")))
      .join("\n");
    const loaded = await load(on);
    expect([loaded.config, loaded.warnings]).toEqual([defaults.config, []]);
  });

  it("describes every setting", () => {
    for (const setting of SETTINGS) expect(settingsTemplate()).toContain(`# ${setting.description}`);
  });
});

describe("the settings in force (CLI-61)", () => {
  it("are a file that sets them, with where each comes from and secrets masked", async () => {
    const text = [
      "[blitz]",
      'default_model = "anthropic/a # b"',
      "[llm.anthropic]",
      'api_key = "sk-secret-0123456789"',
      '[model_settings."my.model"]',
      "temperature = 0.5",
    ].join("\n");
    const { config, sourceOf } = await load(text, { OPENAI_API_KEY: "from-the-environment" });
    const shown = renderSettings(config, sourceOf);
    expect(shown).toContain('default_model = "anthropic/a # b" # global');
    expect(shown).toContain('api_key = "sk-…6789" # global');
    expect(shown).toContain('api_key = "fro…ment" # environment');
    expect(shown).not.toMatch(/secret|the-environment/);
    const again = parse(shown) as { readonly blitz: unknown; readonly model_settings: unknown };
    expect(again).toMatchObject({
      blitz: { ...config.blitz },
      model_settings: { "my.model": { temperature: 0.5 } },
    });
  });

  it.each([
    ["", ""],
    ["12345678", "********"],
    ["123456789", "123…6789"],
    ["🔑🔑🔑-abcdef", "🔑🔑🔑…cdef"],
  ])("mask %j as %j", (secret, shown) => {
    expect(masked(secret)).toBe(shown);
  });
});
