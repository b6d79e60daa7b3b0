// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoadedConfig, loadConfig, SETTINGS, workspaceSettingsFile } from "./index.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-config-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const load = async (toml: string, env: Record<string, string> = {}): Promise<LoadedConfig> => {
  writeFileSync(path.join(dir, ".env.toml"), toml);
  return await loadConfig({ dir, home: "/home/u", env });
};
const problemsOf = async (toml: string, env: Record<string, string> = {}): Promise<string> => {
  const error: unknown = await load(toml, env).then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!isReason(error, "CONFIG_INVALID")) throw new Error(`not refused: ${String(error)}`);
  return error.message.replaceAll(`${dir}/`, "");
};

describe("SETTINGS", () => {
  it.each(SETTINGS.map((setting) => [setting.key, setting] as const))(
    "%s has a description and a default of its type (CFG-07)",
    async (key, setting) => {
      expect(setting.description).toMatch(/^.{10,}[.?]$/);
      const { config, sourceOf } = await loadConfig({ dir, home: "/home/u", env: {} });
      const value = key.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);
      const home =
        typeof setting.default === "string" && setting.default.startsWith("~/")
          ? setting.default.replace("~", "/home/u")
          : setting.default;
      expect(value).toEqual(home);
      expect(sourceOf(key)).toBe("default");
    },
  );
});

describe("loadConfig", () => {
  it("takes a file over the defaults and the environment over the file (CFG-41)", async () => {
    const { config, sourceOf } = await load('[llm]\nprovider = "anthropic"\n[blitz]\ndefault_model = "a"', {
      BLITZ_MODEL: "b",
      LLM_PROVIDER: "OPENAI",
    });
    expect(config.blitz.default_model).toBe("b");
    expect(config.llm.provider).toBe("openai");
    expect(sourceOf("llm.provider")).toBe("environment");
  });

  it("fills keys from the environment only where the files have none (CFG-03)", async () => {
    const { config } = await load('[llm.openai]\napi_key = "mine"', {
      OPENAI_API_KEY: "env",
      GOOGLE_API_KEY: "g2",
      GEMINI_API_KEY: "g1",
      ANTHROPIC_API_KEY: "",
    });
    expect([config.llm.openai.api_key, config.llm.gemini.api_key, config.llm.anthropic.api_key]).toEqual([
      "mine",
      "g1",
      "",
    ]);
  });

  it("merges the workspace's own file: rules add, lists replace, maps merge by key (CFG-11, CFG-40)", async () => {
    const workspace = path.join(dir, "my ws");
    mkdirSync(workspace);
    const own = workspaceSettingsFile(dir, workspace);
    expect(path.basename(path.dirname(own))).toMatch(/^my-ws-[0-9a-f]{8}$/);
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(
      own,
      '[permissions]\ndeny = ["b", "a"]\n[memory]\nfiles = ["X.md"]\n[pricing."m"]\ninput_per_mtok = 2.0',
    );
    writeFileSync(path.join(dir, ".env.toml"), '[permissions]\ndeny = ["a"]\n[pricing."n"]\ninput_per_mtok = 1.0');
    const { config, files } = await loadConfig({ dir, workspace, home: "/home/u", env: {} });
    expect(config.permissions.deny).toEqual(["a", "b"]);
    expect(config.memory.files).toEqual(["X.md"]);
    expect(Object.keys(config.pricing)).toEqual(["n", "m"]);
    expect(files).toHaveLength(2);
  });

  it("ignores a settings file in the workspace (CFG-01)", async () => {
    const workspace = path.join(dir, "ws");
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, ".env.toml"), '[sandbox]\nshell = "off"');
    const { config } = await loadConfig({ dir, workspace, home: "/home/u", env: {} });
    expect(config.sandbox.shell).toBe("auto");
  });

  it.each([
    ["a cut string", '[llm]\nprovider = "anth', /^\.env\.toml:2:\d+: /],
    [
      "a wrong type",
      '\n[blitz]\nmax_tokens = "many"',
      /^\.env\.toml:3:1: blitz\.max_tokens: expected a number, got "many"$/,
    ],
    [
      "a mode misspelt (CFG-14)",
      '[blitz]\npermission_mode = "bypas"',
      /^\.env\.toml:2:1: blitz\.permission_mode: "bypas" is none of default, accept-edits, /,
    ],
    [
      "a sandbox misspelt (CFG-14)",
      'sandbox.shell = "of"',
      /^\.env\.toml:1:1: sandbox\.shell: "of" is none of auto, required, off$/,
    ],
    [
      "a list of the wrong things",
      "[permissions]\nallow = [1]",
      /^\.env\.toml:2:1: permissions\.allow: expected a list of texts/,
    ],
    [
      "a field no model has",
      '[model_settings."gpt-4.1"]\ntemprature = 1.0',
      /^\.env\.toml:2:1: model_settings\.gpt-4\.1\.temprature: unknown; known: temperature/,
    ],
    [
      "a number out of range",
      '[model_settings."x"]\ntemperature = 3.0',
      /^\.env\.toml:2:1: .*: expected at most 2, got 3$/,
    ],
    ["NaN", "[blitz]\ntemperature = nan", /expected a number/],
    ["a scalar in a table's place", 'pricing = "x"', /^\.env\.toml:1:1: pricing: expected a table, got "x"$/],
  ])("names file, line and key for %s (CFG-14, 02 §10)", async (_name, toml, message) => {
    expect(await problemsOf(toml)).toMatch(message);
  });

  it("tells every problem at once, and doesn't take a line in a string for a key", async () => {
    const text = await problemsOf(
      '[blitz]\ndefault_agent = """\nmax_tokens = 1\n"""\nmax_tokens = true\nagency_level = "huge"',
    );
    expect(text.split("\n").map((line) => line.slice(0, 18))).toEqual([".env.toml:6:1: bli", ".env.toml:5:1: bli"]);
  });

  it("refuses a bad value from the environment", async () => {
    expect(await problemsOf("", { BLITZ_SANDBOX_SHELL: "maybe" })).toBe(
      'environment BLITZ_SANDBOX_SHELL: sandbox.shell: "maybe" is none of auto, required, off',
    );
  });

  it("warns of unknown settings with the nearest known one", async () => {
    const { warnings } = await load('[blitz]\ndefalt_agent = "x"\n[nothing]\na = 1');
    expect(warnings.map((line) => line.replace(`${dir}/`, ""))).toEqual([
      ".env.toml:2:1: unknown setting blitz.defalt_agent (did you mean blitz.default_agent?)",
      ".env.toml:3:1: unknown setting nothing",
    ]);
  });

  it("accepts a byte-order mark and other spellings of a mode (CFG-20, APR-53)", async () => {
    const { config } = await load('\ufeff[blitz]\npermission_mode = "acceptEdits"');
    expect(config.blitz.permission_mode).toBe("accept-edits");
  });

  it("keeps keys named like prototypes as plain keys (02 §11)", async () => {
    const { config } = await load('[agent_models]\n__proto__ = "m"\nconstructor = "n"');
    expect(Object.entries(config.agent_models)).toEqual([
      ["__proto__", "m"],
      ["constructor", "n"],
    ]);
    expect(({} as Record<string, unknown>)["m"]).toBeUndefined();
  });

  it("gives each load values of its own (CFG-06)", async () => {
    const one = await load("");
    const two = await load("");
    expect(one.config.memory.files).not.toBe(two.config.memory.files);
  });
});
